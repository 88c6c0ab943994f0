/** Calls of the console, and the handling of their answers. */
import { codeInWords, say } from './words.ts'

const [SUCCESS, UPGRADING, NOT_LOGGED_IN, OTHER] = [200, 201, 401, 999]
/** Codes that are not refusals. */
const DONE = [SUCCESS, UPGRADING, 202]

/** A call that was refused, with the words of the refusal and of its fields. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: number
  readonly fields: Readonly<Record<string, string>>

  constructor(code: number, message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message)
    this.code = code
    this.fields = fields
  }
}

/** A refusal by these pages themselves, with words by field and none besides. */
export const refusedFields = (fields: Readonly<Record<string, string>>): Refused => new Refused(OTHER, '', fields)

/** Return the words for an error. */
export const wordsOf = (error: unknown): string => (error instanceof Refused ? error.message : say('unreachable'))

interface Answer {
  code: number
  message: string
  data?: unknown
  fields?: Record<string, string>
}

/** Listener to what interrupts any page: the session has ended, or an upgrade has started. */
export interface Watch {
  loggedOut(): void
  upgrading(message: string): void
}

let watch: Watch = { loggedOut: () => {}, upgrading: () => {} }
export const watchCalls = (next: Watch): void => {
  watch = next
}

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const raw = body instanceof Blob
  const headers: Record<string, string> = { 'x-gatehouse-console': '1', 'accept-language': document.documentElement.lang }
  if (body !== undefined) headers['content-type'] = raw ? 'application/octet-stream' : 'application/json'
  try {
    return await fetch(`/console/api/${path}`, { method, headers, ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }) })
  } catch {
    throw new Refused(OTHER, codeInWords(410))
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const answer = (await response.json().catch(() => null)) as Answer | null
  const code = answer?.code ?? OTHER
  if (code === NOT_LOGGED_IN) watch.loggedOut()
  if (code === UPGRADING) watch.upgrading(answer?.message ?? codeInWords(UPGRADING))
  if (!DONE.includes(code)) throw new Refused(code, answer?.message || codeInWords(code), answer?.fields)
  return { message: '', ...answer, code }
}

/** Call, and return the data of the answer. @throws Refused */
export async function call<Data = unknown>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<Data> {
  return (await answerOf(await send(method, path, body))).data as Data
}

/** Call, and return the words of the answer. @throws Refused */
export async function callWords(method: 'POST' | 'PUT', path: string, body?: unknown): Promise<string> {
  return (await answerOf(await send(method, path, body))).message
}

/** Save the file that a call answers with under a name. @throws Refused */
export async function download(path: string, body: unknown, name: string): Promise<void> {
  const response = await send('POST', path, body)
  if (response.headers.get('content-type')?.startsWith('application/json')) await answerOf(response)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Send a large file in pieces. @param onProgress gets the part already sent, 0 to 1 @returns its id @throws Refused */
export async function upload(file: File, onProgress: (part: number) => void): Promise<string> {
  const { id, piece } = await call<{ id: string; piece: number }>('POST', 'uploads', { size: file.size })
  for (let offset = 0; offset < file.size; offset += piece) {
    onProgress(offset / file.size)
    await call('PUT', `uploads/${id}?offset=${offset}`, file.slice(offset, offset + piece))
  }
  onProgress(1)
  return id
}
