/** The interface of the storage of pictures. */
import type { Transaction } from '../database/database.ts'
import type { Scope } from '../session/session.ts'
import type { PicturePart, Variant } from './variants.ts'

export type PictureUse = 'face' | 'capture' | 'logo' | 'background' | 'palm'
export interface Storage {
  /**
   * Store a picture in all variants and return its file id. It is dropped after a day unless kept.
   * @param part the square of the upright picture that the small variants show; absent: the middle of it
   */
  savePicture(scope: Scope, picture: Uint8Array, use: PictureUse, part?: PicturePart): Promise<string>
  /**
   * Write the bytes of a terminal's picture and return its file id, null where they are not a picture. No row exists before
   * `keepCapture`, so the transaction that refers to the file is the only one needed.
   */
  writeCapture(scope: Scope, picture: Uint8Array): Promise<string | null>
  /**
   * Write a photograph unchanged, with its metadata, so that it can be analysed again as if just submitted. Only its small variants may
   * be shown. Return its file id; `keepCapture` and `discardCapture` follow as for a terminal's picture.
   */
  writeOriginal(scope: Scope, photo: Uint8Array): Promise<string>
  /** Register a written capture as kept, in the transaction that refers to it. */
  keepCapture(tx: Transaction, scope: Scope, fileId: string): Promise<void>
  /** Remove the bytes of a capture that was not kept. */
  discardCapture(fileId: string): Promise<void>
  /**
   * Mark files as referred to, in the transaction that refers to them.
   * @param waiting the referring row itself waits to be used and may be deleted: the files go on counting against the share of their
   * uploader
   */
  keep(tx: Transaction, scope: Scope, fileIds: readonly string[], waiting?: 'waiting'): Promise<void>
  /** Release files with the transaction; their bytes are removed by `sweep`. */
  release(tx: Transaction, scope: Scope, fileIds: readonly string[]): Promise<void>
  /** Return a signed address, the same for a quarter of an hour so that the browser's cache works. */
  address(scope: Scope, fileId: string, variant: Variant): string
  /** Return the picture of an address; null where signature, time or file is not valid. */
  read(fileId: string, variant: string, expires: string, signature: string): Promise<{ bytes: Buffer; contentType: string } | null>
  /**
   * Return the file of an address issued for this park, even if it has expired; null for any other text, and for a file of another use if
   * `use` is set. Pictures that a form sends back are read this way.
   */
  fileOf(scope: Scope, address: string, use?: PictureUse): Promise<string | null>
  /** Copy a picture into a park, its own or another, and return the copy's id; dropped after a day unless kept. */
  copy(scope: Scope, fileId: string, to: Scope): Promise<string>
  /**
   * Copy a picture so that it is visible without a session, and return the copy's id; dropped after a day unless kept under the
   * installation's id.
   */
  publish(scope: Scope, fileId: string): Promise<string>
  /** Return the address of a published copy, which does not expire. */
  publicAddress(fileId: string): string
  /** Return a published copy that is kept; null for everything else. */
  readPublic(fileId: string, variant: string): Promise<{ bytes: Buffer; contentType: string } | null>
  /** Return the bytes of one variant, for the server itself. */
  load(scope: Scope, fileId: string, variant: Variant): Promise<Buffer | null>
  /**
   * Return a function that loads full variants one after another, never two at once, into a buffer of its own: that halves what large
   * files leave for the garbage collector.
   */
  reader(scope: Scope): (fileId: string) => Promise<Buffer | null>
  /**
   * Remove the bytes of released files at once instead of at the next sweep. Return the files that remain: those that are referred to,
   * and all of them while a backup is being taken.
   */
  erase(fileIds: readonly string[]): Promise<string[]>
  /** Remove files that were not kept within a day; return how many. Do nothing while a backup is being taken. */
  sweep(): Promise<number>
  /**
   * Seal some of the files again that are from before sealed bytes were bound to their names; return how many. May be interrupted at any
   * moment, and run on several nodes.
   */
  bindFormer(): Promise<number>
  /** Resolve if the disk can be reached. */
  answers(): Promise<void>
}
