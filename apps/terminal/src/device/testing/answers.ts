/** How calls of the test server answer. */
import type { TestAudience } from './audience-types.ts'

/** The envelope of an answer. */
export const ok = (data: unknown) => ({ code: 0, message: '', data })

/** The path of a call, as the server routes it. */
export const address = (call: { url: string }) => call.url.replaceAll(/\{(\w+)\}/g, ':$1')

/** The persons with their versions. */
export const versionsOf = (audience: TestAudience) => [...audience.persons.values()].map(({ id, version }) => [id, version] as const)
