"""The web platform: a Chromium over the DevTools protocol (web.md)."""

from surefoot.drivers.web.app import WebApp
from surefoot.drivers.web.driver import WebDriver

__all__ = ["WebApp", "WebDriver"]
