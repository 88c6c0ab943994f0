/** What a PDF of ours says, read from its bytes. */
import { inflateSync } from 'node:zlib'

/** Return the streams of a file that are packed, unpacked. */
function streamsOf(pdf: Buffer): string[] {
  const text = pdf.toString('latin1')
  return [...text.matchAll(/\/FlateDecode \/Length (\d+) >>\nstream\n/g)].map((match) =>
    inflateSync(pdf.subarray(match.index + match[0].length, match.index + match[0].length + Number(match[1]))).toString('latin1'),
  )
}

/** Return the characters of each font by their codes. */
function charactersOf(pdf: Buffer, streams: readonly string[]): Map<string, Map<string, string>> {
  const maps = streams.filter((stream) => stream.includes('beginbfchar'))
  const names = [...pdf.toString('latin1').matchAll(/\/Type3 \/Name \/(\w+)/g)].map(([, name]) => name!)
  return new Map(
    names.map((name, at) => [
      name,
      new Map(
        [...maps[at]!.matchAll(/<([0-9a-f]{2})> <([0-9a-f]{4,})>/g)].map(([, code, utf16]) => [
          code!,
          Buffer.from(utf16!, 'hex').swap16().toString('utf16le'),
        ]),
      ),
    ]),
  )
}

/** Return the lines of text of a file, in the order they are drawn. */
export function linesOfPdf(pdf: Buffer): string[] {
  const streams = streamsOf(pdf)
  const characters = charactersOf(pdf, streams)
  const content = streams.filter((stream) => stream.startsWith('BT ') || stream.includes('\nBT ')).join('\n')
  return [...content.matchAll(/BT (.*?) ET/gs)].map(([, line]) => {
    let font = ''
    let text = ''
    for (const [, name, codes = ''] of line!.matchAll(/\/(\w+) [\d.]+ Tf|<([0-9a-f]+)> Tj/g)) {
      font = name ?? font
      for (const code of codes.match(/../g) ?? []) text += characters.get(font)?.get(code) ?? '?'
    }
    return text
  })
}

/** Return width and height of the page in millimetres. */
export function sizeOfPdf(pdf: Buffer): [width: number, height: number] {
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString('latin1'))!
  return [Math.round((Number(width) * 25.4) / 72), Math.round((Number(height) * 25.4) / 72)]
}

/** Return the number of pictures. */
export const picturesOfPdf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Subtype \/Image/g)?.length ?? 0
