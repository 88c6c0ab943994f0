/** A document that a visitor agreed to or signed, as PDF on pages of A4: the text, then who accepted it, when and how. */
import { SIGNATURE, type SignatureStrokes } from '@gatehouse/contract/visitors/signing'
import type { Fonts, Weight } from '../../platform/documents/pdf/fonts.ts'
import { CAPITALS, mmOf, pdfOf, type Page } from '../../platform/documents/pdf/document.ts'
import { typesetting } from '../../platform/documents/pdf/typesetting.ts'

export interface SignedPaper {
  title: string
  text: string
  /** Name of the park or company that is visited. */
  company: string
  /** Headings with their values: name, moment, version, hash. */
  facts: readonly { title: string; value: string }[]
  /** Heading of the signature; null where there is none. */
  signatureTitle: string | null
  strokes: SignatureStrokes | null
}

/** Millimetres. */
const A4 = { width: 210, height: 297 } as const
const MARGIN = 22
const INNER = A4.width - 2 * MARGIN
const SIGNATURE_WIDTH = 80
const SIGNATURE_HEIGHT = (SIGNATURE_WIDTH * SIGNATURE.height) / SIGNATURE.width
const PEN = 0.5
const FACT_WIDTH = 42
/** Points. */
const SIZES = { title: 17, company: 10, text: 10.5, fact: 9.5, number: 8 } as const
const LEADING = 1.9

interface Block {
  height: number
  draw?(page: Page, top: number): void
}

const lineHeight = (size: number): number => mmOf(size * CAPITALS) * LEADING

/** Spread blocks over pages. */
function pagesOf(blocks: readonly Block[]): { top: number; block: Block }[][] {
  const pages: { top: number; block: Block }[][] = [[]]
  let top = MARGIN
  for (const block of blocks) {
    if (top + block.height > A4.height - MARGIN && pages.at(-1)!.length > 0) {
      pages.push([])
      top = MARGIN
    }
    pages.at(-1)!.push({ top, block })
    top += block.height
  }
  return pages
}

/** Return where the points of a signature stand on its page. */
const pointsOf = (strokes: SignatureStrokes, top: number) =>
  strokes.map((values) =>
    Array.from({ length: values.length / 2 }, (_, at) => ({
      left: MARGIN + (values[2 * at]! / SIGNATURE.width) * SIGNATURE_WIDTH,
      top: top + (Math.min(values[2 * at + 1]!, SIGNATURE.height) / SIGNATURE.height) * SIGNATURE_HEIGHT,
    })),
  )

/** Return a document as PDF. */
export async function signedPaperOf(fonts: Fonts, paper: SignedPaper): Promise<Buffer> {
  const { title, text, company, facts, signatureTitle, strokes } = paper
  const bold = [title, ...facts.map((fact) => fact.title), signatureTitle ?? '']
  const numbers = '0123456789 / '
  const type = await typesetting(fonts, [text, company, numbers, ...facts.map(({ value }) => value)], bold)
  const lines = (words: string, size: number, weight: Weight, place = { left: MARGIN, width: INNER }): Block[] =>
    type.lines(words, weight, size, { width: place.width / mmOf(1), lines: Infinity }).map((line) => ({
      height: lineHeight(size),
      draw: (page, top) => page.text(line, { left: place.left, top }, { size, weight }),
    }))
  const factBlocks = facts.flatMap((fact) => {
    const [first, ...others] = lines(fact.value, SIZES.fact, 'regular', { left: MARGIN + FACT_WIDTH, width: INNER - FACT_WIDTH })
    const heading = lines(fact.title, SIZES.fact, 'bold', { left: MARGIN, width: FACT_WIDTH - 3 })[0]
    const both: Block = {
      height: lineHeight(SIZES.fact),
      draw(page, top) {
        heading?.draw?.(page, top)
        first?.draw?.(page, top)
      },
    }
    return [both, ...others]
  })
  const signature: Block[] =
    strokes === null
      ? []
      : [
          {
            height: SIGNATURE_HEIGHT + lineHeight(SIZES.fact) + 4,
            draw(page, top) {
              lines(signatureTitle ?? '', SIZES.fact, 'bold')[0]?.draw?.(page, top)
              const from = top + lineHeight(SIZES.fact)
              page.strokes(pointsOf(strokes, from), PEN)
              page.box({ left: MARGIN, top: from + SIGNATURE_HEIGHT + 1, width: SIGNATURE_WIDTH, height: 0.2 })
            },
          },
        ]
  const pages = pagesOf([
    ...(company === '' ? [] : lines(company, SIZES.company, 'regular')),
    { height: 2 },
    ...lines(title, SIZES.title, 'bold'),
    { height: 4 },
    ...text
      .split(/\r\n|\r|\n/)
      .flatMap((line) => (line.trim() === '' ? [{ height: lineHeight(SIZES.text) * 0.6 }] : lines(line, SIZES.text, 'regular'))),
    { height: 3 },
    { height: 4, draw: (page, top) => page.box({ left: MARGIN, top: top + 1, width: INNER, height: 0.3 }) },
    ...factBlocks,
    { height: 4 },
    ...signature,
  ])
  return pdfOf(
    A4,
    title,
    type,
    ...pages.map((blocks, at) => (page: Page) => {
      for (const { top, block } of blocks) block.draw?.(page, top)
      const place = { left: A4.width - MARGIN - 12, top: A4.height - MARGIN / 2 }
      page.text(`${at + 1} / ${pages.length}`, place, { size: SIZES.number, weight: 'regular' })
    }),
  )
}
