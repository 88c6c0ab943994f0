/** The program's options with a certain form, read by zod. Invalid ones are refused at once, with a sentence for each. */
import { z } from 'zod'
import { isHost } from './http/callers.ts'

/** Return the error with a sentence about an invalid value. */
const sentence = (write: (value: string) => string) => ({ error: ({ input }: { input?: unknown }) => write(String(input)) })

const numberWithin = (isValid: (value: number) => boolean, write: (value: string) => string) =>
  z
    .string()
    .refine((value) => isValid(Number(value)), sentence(write))
    .transform(Number)

/** Seconds on the command line, milliseconds in the program. */
const seconds = (option: string) =>
  numberWithin(
    (value) => value > 0 && value <= 3_600,
    (value) => `--${option} ${value} is no number of seconds from 1 to 3600.`,
  ).transform((value) => value * 1_000)

const formats = z.object({
  role: z.enum(
    ['terminal', 'camera'],
    sentence((value) => `--role ${value} is unknown: there are terminal and camera.`),
  ),
  server: z.string().refine(
    URL.canParse,
    sentence((value) => `--server ${value} is no address; it looks like https://192.168.1.10:8080.`),
  ),
  'allow-host': z.array(
    z.string().refine(
      isHost,
      sentence((value) => `--allow-host ${value} is neither a name nor an address; it looks like gate.example or 192.168.1.10.`),
    ),
  ),
  port: numberWithin(
    (value) => Number.isInteger(value) && value >= 0 && value <= 65_535,
    (value) => `--port ${value} is no port.`,
  ),
  'door-open-for': seconds('door-open-for'),
  'door-held-after': seconds('door-held-after'),
  pins: z
    .literal(
      'simulated',
      sentence((value) => `--pins ${value} is unknown: there are simulated ones.`),
    )
    .optional(),
})

/** Return the validated options of `values`. @param fail ends the program with one sentence for each invalid option, one a line */
export function readOptions(values: object, fail: (sentences: string) => never): z.output<typeof formats> {
  const { data, error } = formats.safeParse(values)
  return data ?? fail(error?.issues.map(({ message }) => message).join('\n') ?? '')
}
