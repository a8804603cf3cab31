"""Reverse look-up: where in the library a pasted sentence, quotation or value stands."""

from minerva_desktop.questions.reverse.looking import look_up

__all__ = ["look_up"]
