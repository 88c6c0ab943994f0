/**
 * What an installation runs, in one small file that is only ever replaced as a whole: a power cut leaves the one before or
 * the one after. It stands beside the launcher, which must start whatever else is broken, and so knows Node alone.
 *
 * @example
 * launcher.ts  pointer.ts  current
 * client/7/manifest.json …  client/8/manifest.json …   algorithm/3/manifest.json models/…
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const POINTER_FILE = 'current'
/** Times a version on trial is started: a power cut may end one before it is ready, and says nothing about it. */
export const TRIAL_STARTS = 3

export type InstalledKind = 'client' | 'algorithm'

interface Slot {
  versionNumber: string
  /** What ran before, kept for going back; null where there is none. */
  previous: string | null
}

/** An attempt of the server's; null where somebody at the terminal handed the package in. */
export type TaskReference = { id: string; attempt: number } | null

export interface Pointer {
  client: Slot
  /** Null: the models the program comes with, or is told. */
  algorithm: Slot | null
  /** What was put in place last and has not said that it is ready. */
  trial: { kind: InstalledKind; task: TaskReference; starts: number } | null
  /** How the last trial ended, until the server knows. */
  outcome: { kind: InstalledKind; task: TaskReference; versionNumber: string; ready: boolean } | null
}

export const readPointer = (root: string): Pointer => JSON.parse(readFileSync(join(root, POINTER_FILE), 'utf8')) as Pointer

/** What was written to a folder is there after a power cut. */
export function syncFolder(folder: string): void {
  // Windows knows no folder to be synced, and has its entries on the disk without that.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** Replaces a file as a whole, or not at all. */
export function replaceFile(folder: string, name: string, content: string): void {
  const next = join(folder, `${name}.next`)
  const handle = openSync(next, 'w', 0o600)
  try {
    writeFileSync(handle, content)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(next, join(folder, name))
  syncFolder(folder)
}

export const writePointer = (root: string, pointer: Pointer): void => replaceFile(root, POINTER_FILE, `${JSON.stringify(pointer)}\n`)

/** Puts a version in place, on trial; what ran until now is what is gone back to. */
export function onTrial(pointer: Pointer, kind: InstalledKind, versionNumber: string, task: TaskReference): Pointer {
  const slot = { versionNumber, previous: pointer[kind]?.versionNumber ?? null }
  return { ...pointer, ...(kind === 'client' ? { client: slot } : { algorithm: slot }), trial: { kind, task, starts: 0 }, outcome: null }
}

/** The version on trial has said that it is ready. */
export function proven(pointer: Pointer): Pointer {
  if (pointer.trial === null) return pointer
  const { kind, task } = pointer.trial
  return { ...pointer, trial: null, outcome: { kind, task, versionNumber: pointer[kind]!.versionNumber, ready: true } }
}

/** The version on trial did not come up: what ran before is in place again. */
export function goneBack(pointer: Pointer): Pointer {
  if (pointer.trial === null) return pointer
  const { kind, task } = pointer.trial
  const { versionNumber, previous } = pointer[kind]!
  const back = previous === null ? null : { versionNumber: previous, previous: null }
  const slots = kind === 'algorithm' ? { algorithm: back } : { client: back ?? pointer.client }
  return { ...pointer, ...slots, trial: null, outcome: { kind, task, versionNumber, ready: false } }
}
