// Runs before the page is drawn, so that it never flashes in the wrong colours.
"use strict";
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("argwright-theme");
  } catch {
    // storage is switched off: the system's choice
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
