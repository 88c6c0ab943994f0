/** The slip: a strip of a roll of 80 mm, as long as what stands on it. */
import { mmOf, pdfOf } from '../../../platform/documents/pdf/document.ts'
import type { Fonts } from '../../../platform/documents/pdf/fonts.ts'
import { drawCode, fitted, rowBlock, ruleBlock, space, stack, textBlock, textsOf, type Block, type Paper } from './paper.ts'
import { typesetting } from '../../../platform/documents/pdf/typesetting.ts'

const WIDTH = 80
/** Printers of rolls leave 4 mm on either side. */
const MARGIN = 5
const INNER = WIDTH - 2 * MARGIN
const LOGO = { width: 50, height: 14 } as const
const PHOTO = { width: 26, height: 32 } as const
const CODE_SIDE = 40
const NAME_SIZES = { min: 14, max: 24 } as const

const column = { left: MARGIN, width: INNER }

/** Return a slip as PDF. */
export async function slipOf(fonts: Fonts, paper: Paper): Promise<Buffer> {
  const type = await typesetting(fonts, textsOf(paper))
  const { logo, photo, code } = paper
  const blocks: Block[] = []
  if (logo !== null) {
    const size = fitted(logo, LOGO)
    blocks.push({ height: size.height + 3, draw: (page, top) => page.picture(logo, { left: (WIDTH - size.width) / 2, top, ...size }) })
  }
  if (paper.company !== '')
    blocks.push(textBlock(type, paper.company, { size: 10, weight: 'regular' }, { ...column, lines: 2, centred: true }), space(1))
  blocks.push(
    textBlock(type, paper.heading, { size: 12, weight: 'bold' }, { ...column, lines: 1, centred: true }),
    ruleBlock(MARGIN, INNER),
    space(1),
  )
  if (photo !== null)
    blocks.push({ height: PHOTO.height + 3, draw: (page, top) => page.picture(photo, { left: (WIDTH - PHOTO.width) / 2, top, ...PHOTO }) })
  const size = type.largest(paper.name, 'bold', INNER / mmOf(1), NAME_SIZES)
  blocks.push(textBlock(type, paper.name, { size, weight: 'bold' }, { ...column, lines: 3, centred: true }), space(2))
  blocks.push(...[...paper.rows, paper.validity].map((row) => rowBlock(type, row, 10, column)))
  if (code !== null)
    blocks.push(space(2), {
      height: CODE_SIDE + 3,
      draw: (page, top) => drawCode(page, code, { left: (WIDTH - CODE_SIDE) / 2, top, side: CODE_SIDE }),
    })
  blocks.push(ruleBlock(MARGIN, INNER), textBlock(type, paper.note, { size: 7, weight: 'regular' }, { ...column, lines: 2, centred: true }))
  const height = blocks.reduce((sum, block) => sum + block.height, 2 * MARGIN)
  return pdfOf({ width: WIDTH, height: Math.ceil(height) }, paper.title, type, (page) => void stack(page, blocks, MARGIN))
}
