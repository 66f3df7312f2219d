"""One model for each section of the settings, and how they are loaded and documented."""
