// The door, in the reader's language; it works without this script as well.

import { preferred, speak, t } from "./words.js";

await speak(preferred());
for (const node of document.querySelectorAll("[data-word]")) node.textContent = t(node.dataset.word);
document.getElementById("wrong").hidden = !location.pathname.endsWith("/sign-in");
