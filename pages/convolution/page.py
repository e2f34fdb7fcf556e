"""What does a filter see? Convolution by hand, its sizes, moved pictures, digits, and letters of names."""

from lm_core.experiments.convolution.study import early_snapshots, favourites
from lm_core.experiments.convolution.training import accuracies_by_shift, train_on_digits
from lm_core.models import convolution
from lm_core.models.character_cnn import CharacterCNN
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
    IMAGE: (convolution.trace_convolution, convolution.windows),
    ROW: (convolution.trace_convolution, convolution.toeplitz_matrix),
    SIZES: (convolution.output_size, convolution.trace_convolution, convolution.toeplitz_matrix),
    SHIFT: (convolution.shifted, convolution.pool),
    DIGITS: (
        ImageCNN,
        ImageMLP,
        convolution.cross_correlate_2d,
        train_on_digits,
        early_snapshots,
        accuracies_by_shift,
    ),
    NAMES: (CharacterCNN, convolution.cross_correlate_1d, favourites),
}

page_header(
    "convolution",
    "A *convolution* moves one small filter over all of a picture, a row of numbers or a name, so it"
    " finds the same pattern wherever it is.",
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
try_this(part)
