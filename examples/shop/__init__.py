"""The demo shop: a small web shop to record, break and replay."""
