/** Files as people hand them in, for tests: workbooks as Excel writes them, and zips byte by byte, the crooked ones too. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  /** As bytes where it is not UTF-8. */
  name: string | Uint8Array
  bytes: Uint8Array
  deflate?: boolean
  encrypted?: boolean
  /** What it says of its size, where that is not the truth. */
  declaredSize?: number
}

/** A zip of these parts. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const [files, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { name, bytes, deflate = false, encrypted = false, declaredSize = bytes.length } of parts) {
    const raw = typeof name === 'string' ? Buffer.from(name) : Buffer.from(name)
    const plain = deflate ? deflateRawSync(bytes) : Buffer.from(bytes)
    const body = encrypted ? Buffer.concat([Buffer.alloc(12), plain]) : plain
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE((typeof name === 'string' ? 0x800 : 0) | (encrypted ? 1 : 0), 2)
    head.writeUInt16LE(deflate ? 8 : 0, 4)
    head.writeUInt32LE(0x5a210000, 6)
    head.writeUInt32LE(crc32(bytes), 10)
    head.writeUInt32LE(body.length, 14)
    head.writeUInt32LE(declaredSize, 18)
    head.writeUInt16LE(raw.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, raw, body])
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([20, 0]), head, entry, raw]))
    files.push(local)
    offset += local.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end])
}

/** A cell: a text, a number, a day or a moment as Excel has them. */
export type Cell = string | number | null | { day: string } | { moment: string }

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const serial = (text: string): number => Date.parse(text) / 86_400_000 + 25_569
const columnName = (at: number): string =>
  (at < 26 ? '' : String.fromCharCode(64 + Math.floor(at / 26))) + String.fromCharCode(65 + (at % 26))

/** A workbook as Excel writes it: texts shared, cells by their references, empty ones left out, another sheet hidden before it. */
export function workbookOf(rows: readonly (readonly Cell[])[], more: readonly ZipPart[] = []): Buffer {
  const texts: string[] = []
  const shared = (text: string): number => (texts.includes(text) ? texts.indexOf(text) : texts.push(text) - 1)
  const cellOf = (cell: Cell, reference: string): string => {
    if (cell === null || cell === '') return ''
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
    if (typeof cell === 'string') return `<c r="${reference}" t="s"><v>${shared(cell)}</v></c>`
    return 'day' in cell
      ? `<c r="${reference}" s="1"><v>${serial(cell.day)}</v></c>`
      : `<c r="${reference}" s="2"><v>${serial(`${cell.moment}Z`)}</v></c>`
  }
  const sheet = rows
    .map((cells, row) =>
      cells.length === 0
        ? ''
        : `<row r="${row + 1}">${cells.map((cell, at) => cellOf(cell, `${columnName(at)}${row + 1}`)).join('')}</row>`,
    )
    .join('')
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const related = (pairs: readonly [id: string, type: string, target: string][]) =>
    `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
    `${pairs.map(([id, type, target]) => `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`).join('')}` +
    '</Relationships>'
  const parts: Record<string, string> = {
    '_rels/.rels': related([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml':
      `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${relations}">` +
      `<sheets><sheet name="Notes" sheetId="1" state="hidden" r:id="rId4"/>` +
      `<sheet name="People" sheetId="2" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': related([
      ['rId1', 'worksheet', 'worksheets/sheet2.xml'],
      ['rId2', 'styles', '/xl/styles.xml'],
      ['rId3', 'sharedStrings', 'sharedStrings.xml'],
      ['rId4', 'worksheet', 'worksheets/sheet1.xml'],
    ]),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>`,
    'xl/worksheets/sheet2.xml': `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
    'xl/sharedStrings.xml':
      `<sst xmlns="${main}">` +
      texts.map((one) => `<si><r><t xml:space="preserve">${escaped(one)}</t></r><rPh sb="0" eb="1"><t>ignored</t></rPh></si>`).join('') +
      '</sst>',
    'xl/styles.xml':
      `<styleSheet xmlns="${main}">` +
      `<numFmts count="1"><numFmt numFmtId="170" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;\\ hh:mm"/></numFmts>` +
      `<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>`,
  }
  return zipOf([...Object.entries(parts).map(([name, text]) => ({ name, bytes: Buffer.from(text), deflate: true })), ...more])
}
