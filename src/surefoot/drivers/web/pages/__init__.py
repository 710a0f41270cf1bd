"""What is a tab by itself? Its frames, navigations, dialogs and downloads, and when it is quiet."""
