/** Fetches a set of models into a folder: its files first, its manifest last, so that half a set is none. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { filesOf, MODEL_SET_FILE, parseModelSet, readModelSet, type ModelSet } from '../onnx/model-set.ts'
import { download, DownloadFailed, isComplete, type Download, type DownloadOptions } from './download.ts'

/** A part of a set as it is shown before it is fetched. */
export interface SetPart extends Download {
  licence: string
  /** The folder holds it already. */
  present: boolean
}

export interface OfferedSet {
  set: ModelSet
  /** Text of the manifest, kept as it is. */
  manifest: string
  parts: SetPart[]
}

/**
 * What would be fetched, and what of it the folder holds.
 * @param source file of the manifest
 * @param mirror address of a folder that holds the same files; the publisher's own addresses unless given
 * @throws ModelSetInvalid, DownloadFailed where a file has no address
 */
export async function offeredSet(source: string, folder: string, mirror: string | null): Promise<OfferedSet> {
  const manifest = await readFile(source, 'utf8')
  const set = parseModelSet(manifest, source)
  const parts: SetPart[] = []
  for (const { file, address, sha256, bytes, licence } of filesOf(set)) {
    const from = mirror === null ? address : new URL(file, mirror.endsWith('/') ? mirror : `${mirror}/`).href
    if (from === undefined)
      throw new DownloadFailed(`${file} is not offered anywhere: ${source} names no address. Put it into ${folder} yourself.`)
    const item = { file, address: from, sha256, bytes }
    parts.push({ ...item, licence, present: await isComplete(item, folder) })
  }
  return { set, manifest, parts }
}

/**
 * Fetches what is missing and verifies the whole.
 * @throws DownloadFailed, ModelSetInvalid, AbortError of the signal
 */
export async function fetchSet(
  { manifest, parts }: OfferedSet,
  folder: string,
  onPart: (part: SetPart) => DownloadOptions,
): Promise<ModelSet> {
  await mkdir(folder, { recursive: true })
  for (const part of parts) await download(part, folder, onPart(part))
  const target = join(folder, MODEL_SET_FILE)
  await writeFile(`${target}.part`, manifest)
  await rename(`${target}.part`, target)
  return readModelSet(folder)
}
