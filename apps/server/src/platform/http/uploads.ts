/**
 * Receives the bodies of `multipart` calls within bounds of memory and disk, whoever the sender is.
 *
 * A request enters once as much of its body has arrived as fits into the buffer of its connection, 64 KiB or all of it. Then it reserves
 * its whole announced size. Hence:
 * - A client that announces a body and is silent, or slower than the minimum rate, is cut off without having reserved room.
 * - No request with half a body waits for room that other half-received bodies occupy: a request that has entered has all the room it
 * needs, arrives at the minimum rate or is cut off, and leaves.
 * - One user, device or address gets a share, never the whole, and others overtake it.
 * - Calls without login have a room of their own, so that strangers can delay only strangers. Each link has a share of it, from however
 * many addresses it is used.
 * - No request waits for ever, or after its client has gone.
 */
import type { IncomingMessage } from 'node:http'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { JSON_BODY_MAX, type Call } from '@gatehouse/contract'
import type { Upload } from '../context.ts'
import { createSemaphore, type Semaphore } from '../async/semaphore.ts'
import { openReceivedFiles, type ReceivedFile } from './received-file.ts'
import { InvalidRequest, refuse } from './refusal.ts'
import { duringUpload, type AdmitUpload, type Uploader } from '../storage/upload-share.ts'

const MEBIBYTE = 1_048_576
/** Bytes of a field beside the file: the longest is the template of a palm. */
const FIELD_BYTES = 32 * 1024
/** Bytes of uploads in memory at once. */
const ROOM = 96 * MEBIBYTE
const WAITING = 2000
/** The same for calls that need no login. */
const PUBLIC_ROOM = 48 * MEBIBYTE
const PUBLIC_WAITING = 500
const SHARE = 1 / 4
/** Uploads to disk: how many are received at a time, how many may wait, and the share of one owner. */
const RECEIVED_AT_ONCE = 4
const RECEIVED_WAITING = 200
const RECEIVED_SHARE = 1 / 2
/** Factor by which a room is so large that only the shares limit. */
const UNBOUNDED = 1_000_000
/** Milliseconds a request waits for room before it is refused. */
const PATIENCE = 60_000

/** The content of a `multipart` request. */
export interface UploadedForm {
  file: Upload | ReceivedFile | null
  fields: unknown
}

export interface Uploads {
  /** Receive the body of a `multipart` call and pass it to `handle`; its memory or disk space is freed once `handle` is done. */
  during<T>(call: Call, request: FastifyRequest, handle: (form: UploadedForm) => Promise<T>): Promise<T>
}

/** What the token of a link opens. Every public call that takes a file requires one. */
interface OpenedLink {
  id: string
}

/** Return the largest upload of a call, in bytes. */
const limitOf = ({ bodyLimit }: Pick<Call, 'bodyLimit'>): number => bodyLimit ?? JSON_BODY_MAX

const unreadable = (): InvalidRequest => new InvalidRequest([{ path: '', rule: 'malformed' }])

/** Return the bytes to reserve for a body: its announced length, or else the limit. */
function bodyBytes(request: FastifyRequest, limit: number): number {
  const announced = Number(request.headers['content-length'])
  return Number.isSafeInteger(announced) && announced >= 0 ? Math.min(announced, limit) : limit
}

/** Return the owner a request counts for: its user, device or address. */
function ownerOf({ session, device, ip }: FastifyRequest): string {
  if (session !== null) return `user ${session.userId}`
  return device === null ? `address ${ip}` : `device ${device.deviceId}`
}

/** Resolve once the whole body has arrived, or as much of it as is buffered unread. @throws what ends the body before */
async function arrived(request: IncomingMessage): Promise<void> {
  const isHere = (): boolean => request.complete || request.readableLength >= request.readableHighWaterMark
  if (isHere()) return
  if (request.destroyed) throw unreadable()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = (): void => {
    if (isHere()) resolve()
  }
  const close = (): void => reject(unreadable())
  request.on('readable', look).on('error', reject).on('close', close)
  await promise.finally(() => request.off('readable', look).off('error', reject).off('close', close))
}

/** Read a form with one file. @param keep stores the bytes of the file */
async function formOf(
  request: FastifyRequest,
  limit: number,
  keep: (part: MultipartFile) => Promise<Upload | ReceivedFile>,
): Promise<UploadedForm> {
  if (!request.isMultipart()) return { file: null, fields: request.body }
  let file: Upload | ReceivedFile | null = null
  const fields: Record<string, unknown> = {}
  try {
    // File names are in UTF-8, as browsers send them.
    const options = { limits: { fileSize: limit, files: 1, fields: 20, fieldSize: FIELD_BYTES }, defParamCharset: 'utf8' }
    for await (const part of request.parts(options)) {
      if (part.type === 'file') {
        if (part.filename?.includes('\0') === true) throw unreadable()
        if (part.fieldname === 'file') file = await keep(part)
        else part.file.resume()
      } else if (typeof part.value === 'string') fields[part.fieldname] = part.value
      // A field with the content type JSON arrives parsed, however deeply nested.
      else throw unreadable()
    }
    return { file, fields }
  } catch (error) {
    // An exceeded limit has its own status; all other errors mean an unreadable body.
    if (error instanceof InvalidRequest || (error as { statusCode?: number }).statusCode !== undefined) throw error
    throw unreadable()
  }
}

/** Return whose disk share an upload counts against; devices have none. */
function uploaderOf({ session, link }: FastifyRequest): Uploader | null {
  if (session !== null) return { kind: 'user', id: session.userId }
  return link == null ? null : { kind: 'link', id: (link as OpenedLink).id }
}

/**
 * Open the receiver of uploads.
 * @param dataDir folder for files that are too large for memory
 * @param admit checks whether the uploader may store more on the disk
 */
export async function openUploads(dataDir: string, admit: AdmitUpload): Promise<Uploads> {
  const received = openReceivedFiles(dataDir)
  await received.sweep()
  const inMemory = createSemaphore(ROOM, WAITING, SHARE)
  const inMemoryPublic = createSemaphore(PUBLIC_ROOM, PUBLIC_WAITING, SHARE)
  const onDisk = createSemaphore(RECEIVED_AT_ONCE, RECEIVED_WAITING, RECEIVED_SHARE)

  /** Return a semaphore whose room does not limit: only the shares count, which equal those of the public room. */
  const sharesAlone = (): Semaphore => createSemaphore(PUBLIC_ROOM * UNBOUNDED, PUBLIC_WAITING * UNBOUNDED, SHARE / UNBOUNDED)
  const ofVisitors = sharesAlone()
  const ofLinks = sharesAlone()

  /**
   * Enter by a link. One address cannot delay the other users of a link, and many addresses with one link cannot delay the users of
   * another.
   */
  async function enterByLink(request: FastifyRequest, size: number, signal: AbortSignal): Promise<() => void> {
    const { id } = request.link as OpenedLink
    const address = ownerOf(request)
    const entered: (() => void)[] = []
    const leave = (): void => {
      for (const one of entered.splice(0).toReversed()) one()
    }
    try {
      // All requests enter in this order, so that no two wait for each other.
      entered.push(await ofVisitors.enter(size, `${id} ${address}`, signal))
      entered.push(await ofLinks.enter(size, id, signal))
      entered.push(await inMemoryPublic.enter(size, address, signal))
      return leave
    } catch (error) {
      leave()
      throw error
    }
  }

  async function enter(call: Call, request: FastifyRequest): Promise<() => void> {
    const disconnection = new AbortController()
    const leave = (): void => disconnection.abort()
    request.raw.on('close', leave)
    const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE), disconnection.signal])
    const size = bodyBytes(request, limitOf(call))
    try {
      // Large files take long to send, so the wait is not limited.
      if (call.streams === true) return await onDisk.enter(1, ownerOf(request), disconnection.signal)
      return await (call.permission === 'public' ? enterByLink(request, size, signal) : inMemory.enter(size, ownerOf(request), signal))
    } finally {
      request.raw.off('close', leave)
    }
  }

  return {
    async during(call, request, handle) {
      // A small body that has already arrived need not wait for file uploads.
      if (call.orJson === true && !request.isMultipart()) return handle({ file: null, fields: request.body })
      const uploader = uploaderOf(request)
      if (uploader !== null) await admit(uploader, bodyBytes(request, limitOf(call)))
      await arrived(request.raw)
      const leave = await enter(call, request).catch(() => refuse(900000))
      let onDiskNow: ReceivedFile | undefined
      const keep = async (part: MultipartFile): Promise<Upload | ReceivedFile> =>
        call.streams === true
          ? (onDiskNow = await received.receive(part.file, part.filename))
          : { bytes: await part.toBuffer(), filename: part.filename }
      try {
        // The client may have disconnected while it waited: its body would never end, and its room never be freed.
        if (request.raw.destroyed && request.isMultipart()) throw unreadable()
        const form = await formOf(request, limitOf(call), keep)
        return await (uploader === null ? handle(form) : duringUpload(uploader, () => handle(form)))
      } finally {
        leave()
        await onDiskNow?.remove()
      }
    },
  }
}
