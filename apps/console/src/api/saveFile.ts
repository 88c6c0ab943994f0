/** The download of a received file in the browser, under the name given by the server. */
import type { ReceivedFile } from './http.ts'

/** Milliseconds after which every browser has read the file. */
const TAKEN_AFTER = 60_000

export function saveFile({ blob, name }: ReceivedFile): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), TAKEN_AFTER)
}
