"""Every figure that the blog series, its repositories and the lecture notes report, beside ours."""
