/** Reads an Excel file like a spreadsheet program, with a separate zip library. */
import { text } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

export interface ReadCell {
  /** Value in the file: a number, or a text with its escapes resolved. */
  value: string | number | null
  /** Position of its format. */
  style: number
  formula: boolean
}

export interface ReadSheet {
  name: string
  rows: ReadCell[][]
  /** Every part by its path, as text. */
  parts: Map<string, string>
}

const unescaped = (xml: string): string =>
  xml
    .replace(/&#(\d+);/g, (_, number: string) => String.fromCodePoint(Number(number)))
    .replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name]!)
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, number: string) => String.fromCharCode(Number.parseInt(number, 16)))

async function partsOf(bytes: Uint8Array): Promise<Map<string, string>> {
  const parts = new Map<string, string>()
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true })
  for await (const entry of zip.eachEntry()) parts.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)))
  return parts
}

function cellOf(xml: string): ReadCell {
  const inline = /<t[^>]*>([\s\S]*?)<\/t>/.exec(xml)?.[1]
  const number = /<v>([^<]*)<\/v>/.exec(xml)?.[1]
  return {
    value: inline !== undefined ? unescaped(inline) : number === undefined ? null : Number(number),
    style: Number(/ s="(\d+)"/.exec(xml)?.[1] ?? 0),
    formula: xml.includes('<f'),
  }
}

export async function readXlsx(bytes: Uint8Array): Promise<ReadSheet> {
  const parts = await partsOf(bytes)
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? ''
  const rows = [...sheet.matchAll(/<row>([\s\S]*?)<\/row>/g)].map(([, row]) =>
    [...row!.matchAll(/<c [^>]*?(?:\/>|>[\s\S]*?<\/c>)/g)].map(([cell]) => cellOf(cell)),
  )
  return { name: unescaped(/<sheet name="([^"]*)"/.exec(parts.get('xl/workbook.xml') ?? '')?.[1] ?? ''), rows, parts }
}
