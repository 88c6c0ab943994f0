/**
 * Documents in the Portable Document Format (ISO 32000-1), as far as badges, slips and signed documents need it: pages with texts,
 * pictures, boxes and drawn lines.
 * The font is a variable one, which PDF does not know; its outlines are therefore stored as fonts of Type 3, with a table that says which
 * characters they stand for, so that texts can be searched and read aloud.
 */
import { deflateSync } from 'node:zlib'
import type { Weight } from './fonts.ts'
import type { SetGlyph, Typesetting } from './typesetting.ts'

const POINTS_PER_MM = 72 / 25.4
/** Characters of one font of Type 3: its codes are bytes, and 0 is left out. */
const CODES = 255

/** A picture as JPEG. */
export interface Picture {
  jpeg: Buffer
  width: number
  height: number
}

/** A page to draw on. Lengths are millimetres from its upper left corner, sizes of texts are points. */
export interface Page {
  /** Draw one line of text. @param top of its capital letters */
  text(line: string, at: { left: number; top: number }, font: { size: number; weight: Weight }): void
  picture(picture: Picture, at: { left: number; top: number; width: number; height: number }): void
  box(at: { left: number; top: number; width: number; height: number }, grey?: number): void
  /** Draw lines through points, each as one stroke of a pen; a single point is a dot. @param pen its width */
  strokes(lines: readonly (readonly { left: number; top: number }[])[], pen: number): void
}

/** Height of capital letters of the font, in its size. */
export const CAPITALS = 0.733
export const mmOf = (points: number): number => points / POINTS_PER_MM

const number = (value: number): string => String(Math.round(value * 1000) / 1000)
const hex = (code: number): string => code.toString(16).padStart(2, '0')
/** Return a text in the encoding of strings that hold more than Latin letters: UTF-16 with a byte order mark. */
const textString = (text: string): string => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`

interface Type3 {
  name: string
  glyphs: SetGlyph[]
}

/** Fonts that are made of the glyphs as they are used. */
function createType3Fonts() {
  const fonts: Record<Weight, Type3[]> = { regular: [], bold: [] }
  const placeOf = new Map<string, { font: Type3; code: number }>()
  return {
    all: (): Type3[] => [...fonts.regular, ...fonts.bold],
    place(glyph: SetGlyph, weight: Weight): { font: Type3; code: number } {
      const key = weight + glyph.character
      const existing = placeOf.get(key)
      if (existing !== undefined) return existing
      let font = fonts[weight].at(-1)
      if (font === undefined || font.glyphs.length >= CODES) {
        font = { name: `${weight === 'bold' ? 'B' : 'R'}${fonts[weight].length}`, glyphs: [] }
        fonts[weight].push(font)
      }
      const place = { font, code: font.glyphs.push(glyph) }
      placeOf.set(key, place)
      return place
    },
  }
}

/** Objects of a document, numbered from 1. */
function createObjects() {
  const bodies: Buffer[] = []
  const add = (body: string | Buffer): number => bodies.push(Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1'))
  return {
    add,
    replace(id: number, body: string): void {
      bodies[id - 1] = Buffer.from(body, 'latin1')
    },
    stream(bytes: Buffer, entries = ''): number {
      const packed = deflateSync(bytes)
      const head = Buffer.from(`<< ${entries} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`, 'latin1')
      return add(Buffer.concat([head, packed, Buffer.from('\nendstream', 'latin1')]))
    },
    jpeg: ({ jpeg, width, height }: Picture): number =>
      add(
        Buffer.concat([
          Buffer.from(
            `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8` +
              ` /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`,
            'latin1',
          ),
          jpeg,
          Buffer.from('\nendstream', 'latin1'),
        ]),
      ),
    /** Return the file. @param root number of the catalogue; @param info number of the information */
    file(root: number, info: number): Buffer {
      const pieces: Buffer[] = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
      let length = pieces[0]!.length
      const offsets = bodies.map((body, at) => {
        const offset = length
        const piece = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`, 'latin1'), body, Buffer.from('\nendobj\n', 'latin1')])
        pieces.push(piece)
        length += piece.length
        return offset
      })
      const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
      const table = `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${entries}`
      const trailer = `trailer\n<< /Size ${bodies.length + 1} /Root ${root} 0 R /Info ${info} 0 R >>\n`
      const end = `${table}${trailer}startxref\n${length}\n%%EOF\n`
      return Buffer.concat([...pieces, Buffer.from(end, 'latin1')])
    },
  }
}
type Objects = ReturnType<typeof createObjects>

/** Return which characters the codes of a font stand for, as a CMap. */
function charactersOf({ glyphs }: Type3): Buffer {
  const lines = glyphs.map(({ character }, at) => `<${hex(at + 1)}> <${Buffer.from(character, 'utf16le').swap16().toString('hex')}>`)
  // A block has at most a hundred entries.
  const blocks = Array.from({ length: Math.ceil(lines.length / 100) }, (_, at) => lines.slice(at * 100, at * 100 + 100))
  const map = [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def /CMapName /Characters def /CMapType 2 def',
    '1 begincodespacerange <00> <ff> endcodespacerange',
    ...blocks.map((block) => `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`),
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ]
  return Buffer.from(map.join('\n'), 'latin1')
}

function addFont(objects: Objects, font: Type3): number {
  const procedures = font.glyphs.map(({ advance, outline }) =>
    // The box is that of the whole font: those that a printer would compute from it are of no use here.
    objects.stream(Buffer.from(`${number(advance)} 0 -1000 -1000 3000 2000 d1\n${outline}`, 'latin1')),
  )
  const names = font.glyphs.map((_, at) => `/g${at + 1}`)
  const characters = objects.stream(charactersOf(font))
  return objects.add(
    `<< /Type /Font /Subtype /Type3 /Name /${font.name} /FontBBox [-1000 -1000 3000 2000] /FontMatrix [0.001 0 0 0.001 0 0]` +
      ` /CharProcs << ${procedures.map((id, at) => `${names[at]} ${id} 0 R`).join(' ')} >>` +
      ` /Encoding << /Type /Encoding /Differences [1 ${names.join(' ')}] >> /FirstChar 1 /LastChar ${font.glyphs.length}` +
      ` /Widths [${font.glyphs.map(({ advance }) => number(advance)).join(' ')}] /Resources << >> /ToUnicode ${characters} 0 R >>`,
  )
}

export interface PageSize {
  /** Millimetres. */
  width: number
  height: number
}

const pointsOf = (mm: number): string => number(mm * POINTS_PER_MM)

/** Return a page whose operators are appended to `content`. @param addPicture returns the number of the picture in the document */
function createPage(
  size: PageSize,
  type: Typesetting,
  fonts: ReturnType<typeof createType3Fonts>,
  content: string[],
  addPicture: (picture: Picture) => number,
): Page {
  const fromBelow = (mm: number): string => pointsOf(size.height - mm)
  return {
    text(line, { left, top }, { size: points, weight }) {
      const baseline = top + mmOf(points * CAPITALS)
      const parts = [`BT 1 0 0 1 ${pointsOf(left)} ${fromBelow(baseline)} Tm`]
      let open: Type3 | null = null
      let codes = ''
      const show = (): void => {
        if (codes !== '') parts.push(`<${codes}> Tj`)
        codes = ''
      }
      for (const glyph of type.glyphs(line, weight)) {
        const { font, code } = fonts.place(glyph, weight)
        if (font !== open) {
          show()
          parts.push(`/${font.name} ${number(points)} Tf`)
          open = font
        }
        codes += hex(code)
      }
      show()
      content.push(`${parts.join(' ')} ET`)
    },
    picture(picture, { left, top, width, height }) {
      const at = addPicture(picture)
      content.push(`q ${pointsOf(width)} 0 0 ${pointsOf(height)} ${pointsOf(left)} ${fromBelow(top + height)} cm /I${at} Do Q`)
    },
    box({ left, top, width, height }, grey = 0) {
      content.push(`q ${number(grey)} g ${pointsOf(left)} ${fromBelow(top + height)} ${pointsOf(width)} ${pointsOf(height)} re f Q`)
    },
    strokes(lines, pen) {
      const paths = lines.map((points) =>
        // A path of one point draws its dot only where it goes somewhere.
        (points.length === 1 ? [points[0]!, points[0]!] : points)
          .map(({ left, top }, at) => `${pointsOf(left)} ${fromBelow(top)} ${at === 0 ? 'm' : 'l'}`)
          .join(' '),
      )
      content.push(`q 1 J 1 j ${pointsOf(pen)} w ${paths.join(' S ')} S Q`)
    },
  }
}

/** Return a document. @param drawPages draw its pages, each called once */
export function pdfOf(size: PageSize, title: string, type: Typesetting, ...drawPages: readonly ((page: Page) => void)[]): Buffer {
  const objects = createObjects()
  const fonts = createType3Fonts()
  const pictures: number[] = []
  const contents = drawPages.map((draw) => {
    const content: string[] = []
    draw(createPage(size, type, fonts, content, (picture) => pictures.push(objects.jpeg(picture))))
    return objects.stream(Buffer.from(content.join('\n'), 'latin1'))
  })

  const fontEntries = fonts.all().map((font) => `/${font.name} ${addFont(objects, font)} 0 R`)
  const pictureEntries = pictures.map((id, at) => `/I${at + 1} ${id} 0 R`)
  const info = objects.add(`<< /Title ${textString(title)} /Producer (Gatehouse) >>`)
  const pages = objects.add('')
  const box = `[0 0 ${pointsOf(size.width)} ${pointsOf(size.height)}]`
  const resources = `<< /Font << ${fontEntries.join(' ')} >> /XObject << ${pictureEntries.join(' ')} >> >>`
  const kids = contents.map((stream) =>
    objects.add(`<< /Type /Page /Parent ${pages} 0 R /MediaBox ${box} /Contents ${stream} 0 R /Resources ${resources} >>`),
  )
  objects.replace(pages, `<< /Type /Pages /Kids [${kids.map((id) => `${id} 0 R`).join(' ')}] /Count ${kids.length} >>`)
  const root = objects.add(`<< /Type /Catalog /Pages ${pages} 0 R /ViewerPreferences << /PrintScaling /None /DisplayDocTitle true >> >>`)
  return objects.file(root, info)
}
