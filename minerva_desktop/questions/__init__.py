"""Questions: what is asked, what the library knows of it, and an answer that can be shown on its page."""
