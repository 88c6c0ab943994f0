/** The QR code of a pass, drawn by ZXing-C++ as WebAssembly, which is loaded from the package and from nowhere else. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'

let loading: Promise<unknown> | null = null

async function load(): Promise<void> {
  const wasm = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm')))
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true })
}

/** Return the code of a text as the address of an SVG picture. */
export async function drawCode(text: string): Promise<string> {
  loading ??= load()
  await loading
  const { svg, error } = await writeBarcode(text, { format: 'QRCode' })
  if (error) throw new Error(`The code of a pass could not be drawn: ${error}`)
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
