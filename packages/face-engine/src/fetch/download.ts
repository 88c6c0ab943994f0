/** Fetches one file whose hash is known: resumed where a connection broke, kept only when every byte is right. */
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface Download {
  /** Name in the folder. */
  file: string
  address: string
  /** Lower-case hexadecimal. */
  sha256: string
  bytes: number
}

export interface DownloadOptions {
  signal?: AbortSignal
  /** Bytes of the file that are there now. */
  onProgress?: (bytes: number) => void
  /** Attempts in a row that bring nothing before giving up. Default 5. */
  attempts?: number
  /** Milliseconds before the next attempt. Default 1,000. */
  pauseMs?: number
}

/** A file that could not be had; the sentence is for the person who asked for it. */
export class DownloadFailed extends Error {
  override readonly name = 'DownloadFailed'
}

const exists = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  )

/** Whether a file is there and is what it should be. */
export async function isComplete({ file, sha256, bytes }: Download, folder: string): Promise<boolean> {
  const path = join(folder, file)
  if ((await exists(path)) !== bytes) return false
  return (await hashed(path)).digest('hex') === sha256
}

async function hashed(path: string): Promise<Hash> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash
}

/**
 * Brings the file into the folder; what an earlier attempt left in `<file>.part` is gone on from.
 * @returns whether it had to be fetched
 * @throws DownloadFailed, AbortError of the signal
 */
export async function download(
  item: Download,
  folder: string,
  { signal, onProgress = () => {}, attempts = 5, pauseMs = 1000 }: DownloadOptions = {},
): Promise<boolean> {
  if (await isComplete(item, folder)) return false
  const part = join(folder, `${item.file}.part`)
  let fruitless = 0
  let last = ''
  while (((await exists(part)) ?? 0) !== item.bytes) {
    const before = (await exists(part)) ?? 0
    if (before > item.bytes) await rm(part)
    else if (fruitless > 0) await pause(pauseMs, undefined, { signal })
    try {
      await continued(item, part, signal, onProgress)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof DownloadFailed) throw error
      last = reasonOf(error)
    }
    fruitless = ((await exists(part)) ?? 0) > before ? 0 : fruitless + 1
    if (fruitless >= attempts)
      throw new DownloadFailed(
        `${item.file} could not be fetched from ${item.address}: ${last || 'nothing came'}. Run the command ` +
          'again: it goes on where it stopped.',
      )
  }
  const digest = (await hashed(part)).digest('hex')
  if (digest !== item.sha256) {
    await rm(part)
    throw new DownloadFailed(
      `${item.file} from ${item.address} is not the file it should be: its SHA-256 is ${digest} instead of ` +
        `${item.sha256}. It was thrown away.`,
    )
  }
  await rename(part, join(folder, item.file))
  return true
}

/** Adds to the part until the answer ends. */
async function continued(
  { address, bytes, file }: Download,
  part: string,
  signal: AbortSignal | undefined,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const start = (await exists(part)) ?? 0
  const response = await fetch(address, { headers: start > 0 ? { range: `bytes=${start}-` } : {}, ...(signal && { signal }) })
  if (!response.ok || response.body === null) {
    await response.body?.cancel()
    // Asking again changes nothing about these.
    if (response.status >= 400 && response.status < 500 && ![408, 416, 429].includes(response.status)) {
      throw new DownloadFailed(`${file} is not at ${address}: the server answered ${response.status}.`)
    }
    if (response.status === 416) await rm(part, { force: true })
    throw new Error(`the server answered ${response.status}`)
  }
  // A server that does not know ranges sends everything again.
  const at = response.status === 206 ? start : 0
  const handle = await open(part, at > 0 ? 'r+' : 'w')
  try {
    let written = at
    for await (const chunk of response.body) {
      if (written + chunk.byteLength > bytes) {
        await handle.truncate(0)
        throw new DownloadFailed(`${file} from ${address} is larger than the ${bytes} bytes it should be. It was thrown away.`)
      }
      await handle.write(chunk, 0, chunk.byteLength, written)
      written += chunk.byteLength
      onProgress(written)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** `fetch` hides what happened in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
