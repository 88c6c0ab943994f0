/** The calls of the page to the terminal on this machine. */
import type { Badge, MachineAnswer, MachineState } from '../answers.ts'

/** An answer, with what is wrong with a picture in words. */
export type PageAnswer = MachineAnswer & { message?: string }

/** A badge with its code as the address of a picture. */
export type PrintedBadge = Omit<Badge, 'pass'> & { code: string | null }

/** The terminal does not answer, or has too much to do. */
export class Unanswered extends Error {
  readonly isBusy: boolean
  constructor(isBusy: boolean) {
    super(isBusy ? 'The terminal is busy.' : 'The terminal does not answer.')
    this.isBusy = isBusy
  }
}

async function answered(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { 'accept-language': document.documentElement.lang, ...init.headers }
  const response = await fetch(`/visitor-machine/${path}`, { ...init, headers }).catch(() => null)
  if (response?.ok !== true) throw new Unanswered(response?.status === 429)
  return response
}

/** @throws Unanswered */
export async function post(path: string, form: object): Promise<PageAnswer> {
  const init = { method: 'POST', body: JSON.stringify(form), headers: { 'content-type': 'application/json' } }
  return (await (await answered(path, init)).json()) as PageAnswer
}

/** @throws Unanswered */
export async function postPicture(path: string, query: Record<string, string>, picture: Blob): Promise<PageAnswer> {
  const init = { method: 'POST', body: picture, headers: { 'content-type': 'image/jpeg' } }
  return (await (await answered(`${path}?${new URLSearchParams(query)}`, init)).json()) as PageAnswer
}

/** Return the badge of a session; null if there is none. */
export async function badgeOf(session: string): Promise<PrintedBadge | null> {
  try {
    return (await (await answered(`badge?${new URLSearchParams({ session })}`)).json()) as PrintedBadge
  } catch {
    return null
  }
}

/** Return the state; `none` once the device is no visitor machine, null while the terminal does not answer. */
export async function machineState(): Promise<MachineState | 'none' | null> {
  const response = await fetch('/visitor-machine/state').catch(() => null)
  if (response === null) return null
  if (response.status === 404) return 'none'
  return response.ok ? ((await response.json()) as MachineState) : null
}
