/** What badges and slips show, and the parts both are laid out of. */
import QRCode from 'qrcode'
import type { Weight } from '../../../platform/documents/pdf/fonts.ts'
import { CAPITALS, mmOf, type Page, type Picture } from '../../../platform/documents/pdf/document.ts'
import type { Typesetting } from '../../../platform/documents/pdf/typesetting.ts'

/** A line with a heading, such as the host. */
export interface PaperRow {
  title: string
  value: string
}

/** A badge or slip; texts are in the language they are printed in. */
export interface Paper {
  /** Title of the file. */
  title: string
  /** Kind of paper, such as "Visitor". */
  heading: string
  /** The company that is visited; printed where there is no logo. */
  company: string
  name: string
  rows: readonly PaperRow[]
  /** The row that is read first at a door: until when the badge is valid. */
  validity: PaperRow
  note: string
  photo: Picture | null
  logo: Picture | null
  /** Text of the QR code. */
  code: string | null
}

/** Return all texts of a paper, whose glyphs it needs. */
export const textsOf = ({ title, heading, company, name, rows, validity, note }: Paper): string[] => [
  title,
  heading,
  company,
  name,
  note,
  ...[...rows, validity].flatMap((row) => [row.title, row.value]),
]

export interface Style {
  size: number
  weight: Weight
}

/** Distance of two lines, in the height of capital letters. */
const LEADING = 1.75
/** Return the height of a line of text in millimetres, with the space below it. */
export const lineHeight = (size: number): number => mmOf(size * CAPITALS) * LEADING

/** A part of a paper that has its height before it is drawn. */
export interface Block {
  height: number
  draw(page: Page, top: number): void
}

/** Return lines of text that begin at a left edge, or stand in the middle between two edges. */
export function textBlock(
  type: Typesetting,
  text: string,
  style: Style,
  place: { left: number; width: number; lines: number; centred?: boolean },
): Block {
  const lines = type.lines(text, style.weight, style.size, { width: place.width / mmOf(1), lines: place.lines })
  const step = lineHeight(style.size)
  return {
    height: lines.length * step,
    draw(page, top) {
      for (const [at, line] of lines.entries()) {
        const free = place.width - mmOf(type.width(line, style.weight, style.size))
        page.text(line, { left: place.left + (place.centred === true ? free / 2 : 0), top: top + at * step }, style)
      }
    },
  }
}

/** Return a heading in small letters with its value below it. */
export function rowBlock(type: Typesetting, { title, value }: PaperRow, size: number, place: { left: number; width: number }): Block {
  const heading = textBlock(type, title, { size: size * 0.7, weight: 'regular' }, { ...place, lines: 1 })
  const text = textBlock(type, value, { size, weight: 'bold' }, { ...place, lines: 2 })
  return {
    height: heading.height + text.height + 0.8,
    draw(page, top) {
      heading.draw(page, top)
      text.draw(page, top + heading.height)
    },
  }
}

export const space = (height: number): Block => ({ height, draw: () => {} })
export const ruleBlock = (left: number, width: number): Block => ({
  height: 2,
  draw: (page, top) => page.box({ left, top: top + 0.5, width, height: 0.3 }),
})

/** Return the size of a picture that fits into a box, its aspect ratio kept. */
export function fitted({ width, height }: Picture, box: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(box.width / width, box.height / height)
  return { width: width * scale, height: height * scale }
}

/** Draw a QR code into a square. The modules of a row that touch are one box, so that no printer leaves gaps between them. */
export function drawCode(page: Page, text: string, { left, top, side }: { left: number; top: number; side: number }): void {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' })
  const unit = side / modules.size
  for (let row = 0; row < modules.size; row++) {
    let start = -1
    for (let column = 0; column <= modules.size; column++) {
      const isDark = column < modules.size && modules.get(row, column) === 1
      if (isDark && start < 0) start = column
      if (isDark || start < 0) continue
      page.box({ left: left + start * unit, top: top + row * unit, width: (column - start) * unit, height: unit })
      start = -1
    }
  }
}

/** Draw blocks below one another. Return where the next one would begin. */
export function stack(page: Page, blocks: readonly Block[], top: number): number {
  return blocks.reduce((at, block) => {
    block.draw(page, at)
    return at + block.height
  }, top)
}
