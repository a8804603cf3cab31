"""The window. Qt lives here and nowhere else; nothing below knows that it exists."""
