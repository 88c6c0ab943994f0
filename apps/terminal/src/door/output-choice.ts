/** The door output chosen by the options of the program. */
import { simulatedLock, type DoorOutput } from './door.ts'
import { commandOutput } from './command-output.ts'
import { httpOutput } from './http-output.ts'

export interface DoorChoice {
  /** `simulated`, an http or https address, or `command:PROGRAM ARGUMENT …`. */
  door: string
  method?: string | undefined
  body?: string | undefined
  /** Words for opening and closing, separated by a comma. */
  words?: string | undefined
  authorization?: string | undefined
  /** Milliseconds. */
  timeout?: string | undefined
}

/** Return the chosen output. @throws TypeError with a sentence for the person who started the program */
export function chosenOutput({ door, method, body, words: wordsText, authorization, timeout: timeoutText }: DoorChoice): DoorOutput {
  const words = wordsOf(wordsText)
  const timeout = timeoutText === undefined ? undefined : Number(timeoutText)
  if (timeout !== undefined && !(Number.isInteger(timeout) && timeout > 0))
    throw new TypeError(`--door-timeout ${timeoutText} is no number of milliseconds.`)
  const given = { ...(words && { words }), ...(timeout && { timeout }) }
  if (door === 'simulated') return simulatedLock()
  if (/^https?:/.test(door)) {
    if (!URL.canParse(door)) throw new TypeError(`--door ${door} is no address; it looks like http://192.168.1.30/relay/0?turn={action}.`)
    if (method !== undefined && method !== 'GET' && method !== 'POST')
      throw new TypeError(`--door-method ${method} is neither GET nor POST.`)
    return httpOutput({
      url: door,
      ...given,
      ...(method && { method }),
      ...(body !== undefined && { body }),
      ...(authorization && { authorization }),
    })
  }
  const [program, ...args] = door.startsWith('command:') ? door.slice('command:'.length).trim().split(/\s+/) : []
  if (!program) throw new TypeError(`--door ${door} is unknown: it is simulated, an http or https address, or command:PROGRAM ARGUMENTS.`)
  return commandOutput({ program, args, ...given })
}

function wordsOf(text: string | undefined): { open: string; close: string } | undefined {
  if (text === undefined) return undefined
  const [open, close, ...more] = text.split(',').map((word) => word.trim())
  if (!open || !close || more.length > 0)
    throw new TypeError(`--door-words ${text} must be two words with a comma between, such as on,off.`)
  return { open, close }
}
