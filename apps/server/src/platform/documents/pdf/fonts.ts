/**
 * Outlines of characters, Chinese ones among them, of Noto Sans SC. The package has the font in a hundred parts, each with the characters
 * that often stand together; a part is opened when one of its characters is needed.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkitten'
import decompress from 'woff2-encoder/decompress'

/** One of the weights of the font; both are drawn from the same files. */
export type Weight = 'regular' | 'bold'
const WEIGHTS: Readonly<Record<Weight, number>> = { regular: 400, bold: 700 }

export interface Glyph {
  /** Width in thousandths of the font's size. */
  advance: number
  /** Operators of PDF that draw the outline, in thousandths of the size. */
  outline: string
}

/** Parts that stay open. A badge needs two to six; one takes about 0.2 MB. */
const OPEN_PARTS = 24
const PACKAGE = '@fontsource-variable/noto-sans-sc'
const pathOf = (file: string): string => fileURLToPath(import.meta.resolve(`${PACKAGE}/${file}`))

interface Part {
  file: string
  ranges: readonly (readonly [first: number, last: number])[]
}
type OpenPart = Readonly<Record<Weight, Font>>

function rangesOf(text: string): [number, number][] {
  return text.split(',').map((range) => {
    const [first = '', last = first] = range.slice('U+'.length).split('-')
    return [parseInt(first, 16), parseInt(last, 16)]
  })
}

/** Return the parts of the font, those with an alphabet first. */
async function readParts(): Promise<Part[]> {
  const names = Object.entries(JSON.parse(await readFile(pathOf('unicode.json'), 'utf8')) as Record<string, string>)
  return names
    .map(([name, ranges]) => ({ file: `files/noto-sans-sc-${name.replace(/[[\]]/g, '')}-wght-normal.woff2`, ranges: rangesOf(ranges) }))
    .toSorted((one, other) => Number(/-\d+-wght/.test(one.file)) - Number(/-\d+-wght/.test(other.file)))
}

async function openPart(file: string): Promise<OpenPart> {
  const font = create(Buffer.from(await decompress(await readFile(pathOf(file)))))
  if (font.isCollection) throw new Error(`${file} is a collection of fonts`)
  return { regular: font.getVariation({ wght: WEIGHTS.regular }), bold: font.getVariation({ wght: WEIGHTS.bold }) }
}

const decimal = (value: number): string => String(Math.round(value * 100) / 100)

/** Return an outline as operators of PDF, which has no quadratic curves: each is written as the cubic one of the same shape. */
function outlineOf(font: Font, codePoint: number): string {
  const scale = 1000 / font.unitsPerEm
  const operators: string[] = []
  let [x, y] = [0, 0]
  const point = (...values: number[]): string => values.map(decimal).join(' ')
  for (const { command, args } of font.glyphForCodePoint(codePoint).path.commands) {
    const at = args.map((value) => value * scale)
    if (command === 'moveTo') operators.push(`${point(...at)} m`)
    else if (command === 'lineTo') operators.push(`${point(...at)} l`)
    else if (command === 'bezierCurveTo') operators.push(`${point(...at)} c`)
    else if (command === 'quadraticCurveTo') {
      const [controlX = 0, controlY = 0, endX = 0, endY = 0] = at
      const toward = (from: number, control: number): number => from + ((control - from) * 2) / 3
      const controls = [toward(x, controlX), toward(y, controlY), toward(endX, controlX), toward(endY, controlY)]
      operators.push(`${point(...controls, endX, endY)} c`)
    } else operators.push('h')
    if (at.length >= 2) [x, y] = [at.at(-2)!, at.at(-1)!]
  }
  return operators.length === 0 ? '' : `${operators.join('\n')}\nf`
}

export interface Fonts {
  /** Return characters in the order of the parts they are in, so that each part is opened once however long a text is. */
  byPart(characters: readonly string[]): Promise<string[]>
  /** Return the glyph of a character; null where the font has none. */
  glyph(character: string, weight: Weight): Promise<Glyph | null>
}

export function createFonts(): Fonts {
  let parts: Promise<Part[]> | undefined
  /** By file, the one used last at the end. */
  const open = new Map<string, Promise<OpenPart>>()

  function partOf(file: string): Promise<OpenPart> {
    const part = open.get(file) ?? openPart(file)
    open.delete(file)
    open.set(file, part)
    // A part that cannot be read is tried again the next time.
    part.catch(() => open.delete(file))
    if (open.size > OPEN_PARTS) open.delete(open.keys().next().value!)
    return part
  }

  return {
    async byPart(characters) {
      const all = await (parts ??= readParts())
      const placeOf = (codePoint: number): number =>
        all.findIndex(({ ranges }) => ranges.some(([first, last]) => codePoint >= first && codePoint <= last))
      return characters
        .map((character) => ({ character, place: placeOf(character.codePointAt(0)!) }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ character }) => character)
    },
    async glyph(character, weight) {
      const codePoint = character.codePointAt(0)!
      for (const { file, ranges } of await (parts ??= readParts())) {
        if (!ranges.some(([first, last]) => codePoint >= first && codePoint <= last)) continue
        const font = (await partOf(file))[weight]
        if (!font.hasGlyphForCodePoint(codePoint)) continue
        const advance = (font.glyphForCodePoint(codePoint).advanceWidth * 1000) / font.unitsPerEm
        return { advance: Math.round(advance * 100) / 100, outline: outlineOf(font, codePoint) }
      }
      return null
    },
  }
}
