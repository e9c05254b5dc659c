"""Line mode: everything as lines of text that scroll, for terminals of any kind and for pipes."""
