"""``senro-log``: reads journals, for people and for proof."""
