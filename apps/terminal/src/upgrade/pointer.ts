/**
 * The versions an installation runs, in one small file that is only ever replaced as a whole: after a power failure it is the old or the
 * new one. This module is used by the launcher, which must start whatever else is broken, and so it imports Node alone.
 *
 * @example
 * launcher.ts  pointer.ts  current
 * client/7/manifest.json …  client/8/manifest.json …   algorithm/3/manifest.json models/…
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const POINTER_FILE = 'current'
/** Starts of a version on trial: a power failure may end it before it is ready, which says nothing about the version. */
export const TRIAL_STARTS = 3

export type InstalledKind = 'client' | 'algorithm'

interface Slot {
  versionNumber: string
  /** The version that ran before, kept for a rollback; null if there is none. */
  previous: string | null
}

/** Task and attempt of the server; null if the package was handed in at the terminal. */
export type TaskReference = { id: string; attempt: number } | null

export interface Pointer {
  client: Slot
  /** Null: the models included in the program, or named in its options. */
  algorithm: Slot | null
  /** The version installed last that has not yet reported to be ready. */
  trial: { kind: InstalledKind; task: TaskReference; starts: number } | null
  /** Outcome of the last trial, until the server has it. */
  outcome: { kind: InstalledKind; task: TaskReference; versionNumber: string; ready: boolean } | null
}

export const readPointer = (root: string): Pointer => JSON.parse(readFileSync(join(root, POINTER_FILE), 'utf8')) as Pointer

/** Sync a folder, so that its entries survive a power failure. */
export function syncFolder(folder: string): void {
  // Windows cannot sync a folder, and does not need to.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** Replace a file as a whole, or not at all. */
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

/** Put a version on trial; the running version becomes the one to roll back to. */
export function onTrial(pointer: Pointer, kind: InstalledKind, versionNumber: string, task: TaskReference): Pointer {
  const slot = { versionNumber, previous: pointer[kind]?.versionNumber ?? null }
  return { ...pointer, ...(kind === 'client' ? { client: slot } : { algorithm: slot }), trial: { kind, task, starts: 0 }, outcome: null }
}

/** Note that the version on trial has reported to be ready. */
export function proven(pointer: Pointer): Pointer {
  if (pointer.trial === null) return pointer
  const { kind, task } = pointer.trial
  return { ...pointer, trial: null, outcome: { kind, task, versionNumber: pointer[kind]!.versionNumber, ready: true } }
}

/** Roll back: the version on trial did not become ready. */
export function goneBack(pointer: Pointer): Pointer {
  if (pointer.trial === null) return pointer
  const { kind, task } = pointer.trial
  const { versionNumber, previous } = pointer[kind]!
  const back = previous === null ? null : { versionNumber: previous, previous: null }
  const slots = kind === 'algorithm' ? { algorithm: back } : { client: back ?? pointer.client }
  return { ...pointer, ...slots, trial: null, outcome: { kind, task, versionNumber, ready: false } }
}
