"""What does a filter see? Convolution by hand, its sizes, moved pictures, digits, and letters of names."""

from lm_core.experiments.convolution.study import early_snapshots, favourites
from lm_core.experiments.convolution.training import accuracies_by_shift, train_on_digits
from lm_core.models.character_cnn import CharacterCNN
from lm_core.models.convolution import (
    cross_correlate_1d,
    cross_correlate_2d,
    output_size,
    pool,
    shifted,
    toeplitz_matrix,
    trace_convolution,
    windows,
)
from lm_core.models.image_networks import ImageCNN, ImageMLP
from pages.convolution.digit_choice import choose_digit
from pages.convolution.digits import digits
from pages.convolution.image import choose_scene, image
from pages.convolution.names import choose_name, names
from pages.convolution.one_dimension import one_dimension
from pages.convolution.rows import choose_rows
from pages.convolution.shift import choose_move, shift
from pages.convolution.sizes import choose_sizes, sizes
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import Sources, page_header, show_source, try_this

IMAGE, ROW, SIZES = "Image", "One row", "Sizes"
SHIFT, DIGITS, NAMES = "Shift", "Digits", "Names"
CODE: dict[str, Sources] = {
    IMAGE: (trace_convolution, windows),
    ROW: (trace_convolution, toeplitz_matrix),
    SIZES: (output_size, trace_convolution, toeplitz_matrix),
    SHIFT: (shifted, pool),
    DIGITS: (
        ImageCNN,
        ImageMLP,
        cross_correlate_2d,
        train_on_digits,
        early_snapshots,
        accuracies_by_shift,
    ),
    NAMES: (CharacterCNN, cross_correlate_1d, favourites),
}
SUGGESTIONS = {
    IMAGE: [
        "Choose *Horizontal edges*. What does it see of the T now?",
        "Paint something that *Falling line* responds to with 6, and something with −6.",
        "Under *More*, make a filter whose map is the picture itself, one that moves it, and one that finds corners.",
        "Clear the picture. Which filter responds to an empty one?",
    ],
    ROW: [
        "Find two rows x and w for which both conventions give the same. What is special about w?",
        "Which padding makes z as long as x (*same*)? With which does w always lie on x alone (*valid*)?",
        "Swap x and w. Which of the two conventions gives the same z?",
    ],
    SIZES: [
        "With stride 1, which padding keeps the size for a filter of 3 × 3? And for 5 × 5?",
        "Find two different images that give the same 3 × 4 map size with stride 2.",
        "Choose a filter that is larger than the image. How much padding makes it fit?",
        "Choose *3 × 3 by 2 × 2*. Where in the matrix is the weight 3, and how often?",
    ],
    SHIFT: [
        "Move by 2, then by 3. When does the pooled map move as a whole?",
        "Choose *average*. Do fewer numbers change?",
        "Set the window of pooling to 1, then to 4. What is lost, and what is hidden?",
        "Paint something at the edge and move it out. Where does equivariance break?",
    ],
    DIGITS: [
        "Draw a digit in a corner. Who still reads it?",
        "Choose *shifted*. What does the MLP lose in the middle, and why does the CNN lose less?",
        "Under *Inside*, draw one stroke in four directions. Which filters respond to which?",
        "Play the training. When is the digit first read, and how much have the filters changed by then?",
    ],
    NAMES: [
        "Type a name twice in a row, as in *leelee*. Which responses are alike, which predictions?",
        "Which filters find the end of names that end in *a*?",
        "Find three letters to which no filter of the eight responds.",
    ],
}

page_header(
    "convolution",
    "A *convolution* moves one small filter over all of a picture, a row of numbers, or a name.",
)

# Controls -------------------------------------------------------------------------------------
screen = first_screen(picture=3.0)
with screen.controls:
    part = choose_part((IMAGE, ROW, SIZES, SHIFT, DIGITS, NAMES))

# Picture and explanation ----------------------------------------------------------------------
if part == IMAGE:
    image(screen, choose_scene(screen))
elif part == ROW:
    one_dimension(screen, choose_rows(screen))
elif part == SIZES:
    sizes(screen, choose_sizes(screen))
elif part == SHIFT:
    shift(screen, choose_move(screen))
elif part == DIGITS:
    digits(screen, choose_digit(screen))
else:
    names(screen, choose_name(screen))

# Code and suggestions -------------------------------------------------------------------------
show_source(*CODE[part])
try_this(SUGGESTIONS[part])
