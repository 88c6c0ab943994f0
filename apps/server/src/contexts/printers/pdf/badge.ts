/** The badge: a label of 62 × 100 mm that a visitor wears. */
import { CAPITALS, mmOf, pdfOf, type Page } from '../../../platform/documents/pdf/document.ts'
import { drawCode, fitted, lineHeight, rowBlock, stack, textBlock, textsOf, type Block, type Paper } from './paper.ts'
import type { Fonts } from '../../../platform/documents/pdf/fonts.ts'
import { typesetting, type Typesetting } from '../../../platform/documents/pdf/typesetting.ts'

export const BADGE = { width: 62, height: 100 } as const
const MARGIN = 4
const INNER = BADGE.width - 2 * MARGIN
const HEAD = { height: 8, logoWidth: 32, size: 10 } as const
/** Millimetres of the photo; the pictures of forms are cut to this ratio. */
export const BADGE_PHOTO = { width: 26, height: 32 } as const
const CODE_SIDE = 24
const NAME_SIZES = { min: 15, max: 30 } as const
const ROW_SIZE = 9
const VALIDITY_SIZE = 12
const NOTE_SIZE = 5.5

function drawHead(page: Page, type: Typesetting, { logo, company, heading }: Paper): void {
  const headingWidth = mmOf(type.width(heading, 'bold', HEAD.size))
  const middle = (height: number): number => MARGIN + (HEAD.height - height) / 2
  page.text(
    heading,
    { left: BADGE.width - MARGIN - headingWidth, top: middle(mmOf(HEAD.size * CAPITALS)) },
    { size: HEAD.size, weight: 'bold' },
  )
  const room = INNER - headingWidth - 3
  if (logo !== null) {
    const size = fitted(logo, { width: Math.min(HEAD.logoWidth, room), height: HEAD.height })
    page.picture(logo, { left: MARGIN, top: middle(size.height), ...size })
  } else if (company !== '') {
    const block = textBlock(type, company, { size: 8, weight: 'regular' }, { left: MARGIN, width: room, lines: 2 })
    block.draw(page, middle(block.height) + 0.4)
  }
  page.box({ left: MARGIN, top: MARGIN + HEAD.height + 1, width: INNER, height: 0.4 })
}

/** Return a badge as PDF. */
export async function badgeOf(fonts: Fonts, paper: Paper): Promise<Buffer> {
  const type = await typesetting(fonts, textsOf(paper))
  return pdfOf(BADGE, paper.title, type, (page) => {
    drawHead(page, type, paper)
    let top = MARGIN + HEAD.height + 4
    if (paper.photo !== null) page.picture(paper.photo, { left: MARGIN, top, ...BADGE_PHOTO })
    if (paper.code !== null)
      drawCode(page, paper.code, {
        left: paper.photo === null ? (BADGE.width - CODE_SIDE) / 2 : BADGE.width - MARGIN - CODE_SIDE,
        top,
        side: CODE_SIDE,
      })
    if (paper.photo !== null) top += BADGE_PHOTO.height + 3
    else if (paper.code !== null) top += CODE_SIDE + 3

    const size = type.largest(paper.name, 'bold', INNER / mmOf(1), NAME_SIZES)
    const name = textBlock(type, paper.name, { size, weight: 'bold' }, { left: MARGIN, width: INNER, lines: 2 })
    top = stack(page, [name], top) + 1
    // The note and the validity have their places at the bottom, whatever stands above them.
    const note = textBlock(type, paper.note, { size: NOTE_SIZE, weight: 'regular' }, { left: MARGIN, width: INNER, lines: 1 })
    const validity = rowBlock(type, paper.validity, VALIDITY_SIZE, { left: MARGIN, width: INNER })
    const validityTop = BADGE.height - MARGIN - lineHeight(NOTE_SIZE) - validity.height
    const rows: Block[] = []
    for (const row of paper.rows) {
      const block = rowBlock(type, row, ROW_SIZE, { left: MARGIN, width: INNER })
      const used = rows.reduce((sum, { height }) => sum + height, 0)
      if (top + used + block.height > validityTop) break
      rows.push(block)
    }
    stack(page, rows, top)
    stack(page, [validity, note], validityTop)
  })
}
