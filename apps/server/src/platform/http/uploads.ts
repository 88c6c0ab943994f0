/**
 * Receives what `multipart` calls are sent, within bounds of memory and disk, whoever sends it.
 *
 * A request takes its place once as much of its body has arrived as fits into the buffer of its connection, 64 KiB or
 * all of it; then it takes the whole announced size. Hence:
 * - A client that announces a body and is silent, or slower than the minimum rate, is cut off without having held a place.
 * - Nobody waits with half a body for room that others with half a body hold: whoever is inside has all the room needed,
 *   arrives at the minimum rate or is cut off, and leaves.
 * - One user, device or address holds a share, never the whole, and the others overtake it.
 * - Calls that need no login have a room of their own, so that strangers can only delay strangers, and of that each link has a
 *   share, from however many addresses it is used.
 * - Nobody waits without end, nor once they have gone.
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
/** Bytes of uploads in memory at once. */
const ROOM = 96 * MEBIBYTE
const WAITING = 2000
/** The same for calls that need no login. */
const PUBLIC_ROOM = 48 * MEBIBYTE
const PUBLIC_WAITING = 500
const SHARE = 1 / 4
/** Uploads that go to the disk: so many at a time, so many wait. */
const RECEIVED_AT_ONCE = 4
const RECEIVED_WAITING = 200
const RECEIVED_SHARE = 1 / 2
/** Times the room: as good as none. */
const UNBOUNDED = 1_000_000
/** Milliseconds somebody waits for a place before they are told to come again. */
const PATIENCE = 60_000

/** What a `multipart` call was sent. */
export interface UploadedForm {
  file: Upload | ReceivedFile | null
  fields: unknown
}

export interface Uploads {
  /** Receives the body of a `multipart` call and hands it on; its memory or disk is free again once `handle` is done. */
  during<T>(call: Call, request: FastifyRequest, handle: (form: UploadedForm) => Promise<T>): Promise<T>
}

/** What the token of a link opens: every public call that takes a file asks for one. */
interface OpenedLink {
  id: string
}

/** Largest upload of a call, in bytes. */
const limitOf = ({ bodyLimit }: Pick<Call, 'bodyLimit'>): number => bodyLimit ?? JSON_BODY_MAX

const unreadable = (): InvalidRequest => new InvalidRequest([{ path: '', rule: 'malformed' }])

/** Bytes a body takes: what it says, or all it may. */
function bodyBytes(request: FastifyRequest, limit: number): number {
  const said = Number(request.headers['content-length'])
  return Number.isSafeInteger(said) && said >= 0 ? Math.min(said, limit) : limit
}

/** Who is asking, as far as it is known. */
function ownerOf({ session, device, ip }: FastifyRequest): string {
  if (session !== null) return `user ${session.userId}`
  return device === null ? `address ${ip}` : `device ${device.deviceId}`
}

/** Resolves once the whole body has arrived, or as much of it as is taken unread. @throws what ends the body before */
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

/** Reads a form with one file. @param keep takes the bytes of the file */
async function formOf(
  request: FastifyRequest,
  limit: number,
  keep: (part: MultipartFile) => Promise<Upload | ReceivedFile>,
): Promise<UploadedForm> {
  if (!request.isMultipart()) return { file: null, fields: request.body }
  let file: Upload | ReceivedFile | null = null
  const fields: Record<string, unknown> = {}
  try {
    // Names of files are said in UTF-8, as browsers do.
    const options = { limits: { fileSize: limit, files: 1, fields: 20, fieldSize: 10_000 }, defParamCharset: 'utf8' }
    for await (const part of request.parts(options)) {
      if (part.type === 'file') {
        if (part.filename?.includes('\0') === true) throw unreadable()
        if (part.fieldname === 'file') file = await keep(part)
        else part.file.resume()
      } else if (typeof part.value === 'string') fields[part.fieldname] = part.value
      // A field that says it is JSON arrives parsed, however deeply nested.
      else throw unreadable()
    }
    return { file, fields }
  } catch (error) {
    // A limit that was passed says so by its status; all else is a body that cannot be read.
    if (error instanceof InvalidRequest || (error as { statusCode?: number }).statusCode !== undefined) throw error
    throw unreadable()
  }
}

/** Who has a share of the disk; devices have none. */
function uploaderOf({ session, link }: FastifyRequest): Uploader | null {
  if (session !== null) return { kind: 'user', id: session.userId }
  return link == null ? null : { kind: 'link', id: (link as OpenedLink).id }
}

/**
 * @param dataDir where files are kept that are too large for the memory
 * @param admit whether somebody may leave more on the disk
 */
export async function openUploads(dataDir: string, admit: AdmitUpload): Promise<Uploads> {
  const received = openReceivedFiles(dataDir)
  await received.sweep()
  const inMemory = createSemaphore(ROOM, WAITING, SHARE)
  const inMemoryPublic = createSemaphore(PUBLIC_ROOM, PUBLIC_WAITING, SHARE)
  const onDisk = createSemaphore(RECEIVED_AT_ONCE, RECEIVED_WAITING, RECEIVED_SHARE)

  /** Without an end of its own: only the shares count, which are those of the public room. */
  const sharesAlone = (): Semaphore => createSemaphore(PUBLIC_ROOM * UNBOUNDED, PUBLIC_WAITING * UNBOUNDED, SHARE / UNBOUNDED)
  const ofVisitors = sharesAlone()
  const ofLinks = sharesAlone()

  /** One address cannot hold up a link for the others who use it, nor many addresses with one link those who use another. */
  async function enterByLink(request: FastifyRequest, size: number, signal: AbortSignal): Promise<() => void> {
    const { id } = request.link as OpenedLink
    const address = ownerOf(request)
    const entered: (() => void)[] = []
    const leave = (): void => {
      for (const one of entered.splice(0).toReversed()) one()
    }
    try {
      // In this order for all, so that nobody waits for somebody who waits for him.
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
    const gone = new AbortController()
    const leave = (): void => gone.abort()
    request.raw.on('close', leave)
    const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE), gone.signal])
    const size = bodyBytes(request, limitOf(call))
    try {
      // What is large takes long to send, and is waited for as long.
      if (call.streams === true) return await onDisk.enter(1, ownerOf(request), gone.signal)
      return await (call.permission === 'public' ? enterByLink(request, size, signal) : inMemory.enter(size, ownerOf(request), signal))
    } finally {
      request.raw.off('close', leave)
    }
  }

  return {
    async during(call, request, handle) {
      // Small, and arrived already: it need not wait for those who send files.
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
        // A client may have gone while it waited: its body would never end, and its place never be free.
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
