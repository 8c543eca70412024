"""Names that may mean the same, and names that must not be put for each other."""

from __future__ import annotations

import pytest

from argwright.batch.log import likeness


@pytest.mark.parametrize(("said", "meant", "alike", "differ"), [
    ("script_path", "script_name", True, False),
    ("scriptName", "script_name", True, False),
    ("timeout_seconds", "timeout", True, False),
    ("name", "script_name", True, False),
    ("custumer_id", "customer_id", True, False),
    ("文件_名", "文件", True, False),
    ("file", "path", False, False),
    ("recipients", "to", False, False),
    ("begin", "start", False, False),
    ("user_id", "order_id", False, True),
    ("user_id", "user_name", False, True),
    ("due_date", "end_date", False, True),
    ("max_price", "min_price", False, True),
    ("max_price", "price", False, True),
    ("end", "start", False, True),
    ("from", "to", False, True),
    ("not_before", "before", False, True),
    ("user_email", "user_name", False, True),
])  # fmt: skip
def test_fields(said, meant, alike, differ):
    assert (likeness.fields_alike(said, meant), likeness.fields_differ(said, meant)) == (alike, differ)


@pytest.mark.parametrize(("said", "meant", "alike"), [
    ("celcius", "celsius", True),
    ("In Progress", "in_progress", True),
    ("degrees_celsius", "celsius", True),
    ("close", "closed", True),
    ("高い", "高い", True),
    ("inactive", "active", False),
    ("unpaid", "paid", False),
    ("disabled", "enabled", False),
    ("descending", "ascending", False),
    ("not_started", "started", False),
    ("partially_paid", "paid", False),
    ("export", "import", False),
    ("version_1", "version_2", False),
    ("us-east-1", "us-west-1", False),
    ("us-east-1", "us-east", False),
    ("true_negative", "true_positive", False),
    ("低い", "高い", False),
])  # fmt: skip
def test_values(said, meant, alike):
    assert likeness.values_alike(said, meant) is alike


@pytest.mark.parametrize(("said", "meant", "alike"), [
    ("search_products_v2", "search_products", True),
    ("Search_Products", "search_products", True),
    ("searchProducts", "search_products", True),
    ("search", "search_products", True),
    ("delete_users", "delete_user", True),
    ("update_user", "delete_user", False),
    ("remove_user", "delete_user", False),
    ("user", "delete_user", False),
    ("undelete_user", "delete_user", False),
    ("delete_user_account", "delete_user", False),
    ("", "run", False),
    ("run", "", False),
])  # fmt: skip
def test_tools(said, meant, alike):
    assert likeness.tools_alike(said, meant) is alike
