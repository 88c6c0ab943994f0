/** Settings of terminals: one set per device, templates to copy, and the defaults of a park for new devices (module M06). */
import { z } from 'zod'
import { accessMethod } from '../enums/access.ts'
import { alarmType } from '../enums/alarms.ts'
import { networkMode, temperatureUnit } from '../enums/devices.ts'
import { cardNumberFormat } from '../enums/people.ts'
import {
  CONSOLE_ACCOUNT_MAX,
  CONSOLE_PASSWORD_MAX,
  CONSOLE_PASSWORD_MIN,
  PROMPT_TEXT_MAX,
  RECOGNITION_DISTANCE_MAX,
  RECOGNITION_DISTANCE_MAX_ONE_MODE,
  RECOGNITION_DISTANCE_MIN,
  RECOGNITION_FAILURE_INTERVAL,
  RECOGNITION_INTERVAL_STEP,
  RECOGNITION_SUCCESS_INTERVAL,
  RESTART_INTERVAL,
  THRESHOLD_MAX,
  THRESHOLD_MIN,
  TIME_ZONES,
  VOICE_PROMPT_MAX,
  VOLUME_DEFAULT,
} from '../limits.ts'
import { isIpAddress } from '../schema.ts'
import { refusedAs, rule } from '../validation.ts'

/** What a terminal does about somebody without mask or helmet: nothing, say so, refuse. */
export const WEAR_RULES = ['off', 'prompt', 'refuse'] as const
/** What a pin of the terminal is wired to. */
export const GPIO_TYPES = ['doorLock', 'exitButton', 'doorSensor', 'fireAlarm', 'tamper', 'alarmOutput'] as const
/** What a terminal shows of somebody who passes. */
export const DISPLAY_FIELDS = ['photo', 'name', 'workNumber', 'temperature', 'time'] as const

/** Multiples of a step, without what floating point adds. */
const stepped = (step: number) => (value: number) => Math.abs(value / step - Math.round(value / step)) < 1e-9
const seconds = ([least, most]: readonly [number, number]) =>
  z
    .number()
    .min(least)
    .max(most)
    .refine(stepped(RECOGNITION_INTERVAL_STEP), rule('step', { step: RECOGNITION_INTERVAL_STEP }))
const threshold = z.number().min(THRESHOLD_MIN).max(THRESHOLD_MAX)
const degrees = z
  .number()
  .min(20)
  .max(50)
  .refine(stepped(0.1), rule('step', { step: 0.1 }))
const onOff = z.union([z.literal(0), z.literal(1)])
const utf8Length = (text: string): number => new TextEncoder().encode(text).length
/** Digits alone in the last label are an address with a mistake in it, not a name. */
const isHostName = (value: string): boolean =>
  /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(value)
const ipAddress = z.string().trim().refine(isIpAddress, rule('ip'))
/** Where something is reached: an IP address or a name. */
const hostAddress = z
  .string()
  .trim()
  .max(253)
  .refine((value) => isIpAddress(value) || isHostName(value), { ...rule('host'), ...refusedAs(100415) })

/**
 * What decides and shows at a terminal, as far as the server sets it; a field that is null leaves the terminal's own.
 * Temperatures are stored in Celsius. Source: entity DeviceSetting.
 */
export const terminalSettingValues = z.object({
  /** Access methods the terminal accepts; empty: whatever the strategies allow. */
  verificationMode: z.array(accessMethod.schema).max(accessMethod.values.length).default([]),
  /** Raw score; null: the park's policy. */
  threshold: threshold.nullable().default(null),
  /** Below it a face is refused without a second check. */
  lowThreshold: threshold.nullable().default(null),
  livenessSwitch: onOff.default(0),
  /** Metres. */
  recognitionDistance: z
    .number()
    .min(RECOGNITION_DISTANCE_MIN)
    .max(RECOGNITION_DISTANCE_MAX)
    .refine(stepped(0.1), rule('step', { step: 0.1 }))
    .nullable()
    .default(null),
  successInterval: seconds(RECOGNITION_SUCCESS_INTERVAL).default(RECOGNITION_SUCCESS_INTERVAL[1]),
  failureInterval: seconds(RECOGNITION_FAILURE_INTERVAL).default(RECOGNITION_FAILURE_INTERVAL[1]),
  /** Days; null: never by itself. */
  restartInterval: z.number().int().min(RESTART_INTERVAL[0]).max(RESTART_INTERVAL[1]).nullable().default(null),
  promptText: z.string().trim().max(PROMPT_TEXT_MAX).default(''),
  voicePromptText: z
    .string()
    .trim()
    .refine((value) => utf8Length(value) <= VOICE_PROMPT_MAX, rule('bytes', { limit: VOICE_PROMPT_MAX }))
    .default(''),
  /** Id of an uploaded mp3; null: the terminal's own sounds. */
  voiceFile: z.string().max(64).nullable().default(null),
  temperatureCheck: onOff.default(0),
  temperatureMaximum: degrees.default(37.3),
  temperatureMinimum: degrees.default(35),
  /** Display only. */
  temperatureUnit: temperatureUnit.schema.default('C'),
  maskRule: z.enum(WEAR_RULES).default('off'),
  helmetRule: z.enum(WEAR_RULES).default('off'),
  /** Pins in order. */
  gpioTypes: z.array(z.enum(GPIO_TYPES)).max(GPIO_TYPES.length).default([]),
  alarmRecordingTypes: z
    .array(alarmType.schema)
    .min(1, refusedAs(500016))
    .max(alarmType.values.length)
    .default([alarmType.fire, alarmType.tamper]),
  volume: z.number().int().min(0).max(100).default(VOLUME_DEFAULT),
  /** Id of an uploaded PNG; null: none. */
  screenSaver: z.string().max(64).nullable().default(null),
  /** Seconds without anybody; 0 is off. */
  screenSaverAfter: z.number().int().min(0).max(86_400).default(0),
  /** Minutes east of UTC, one of 36; null: the park's zone, which knows daylight saving. */
  timeZone: z
    .number()
    .refine((value) => (TIME_ZONES as readonly number[]).includes(value), rule('timeZone'))
    .nullable()
    .default(null),
  ntpServer: hostAddress.nullable().default(null),
  networkMode: networkMode.schema.nullable().default(null),
  ip: ipAddress.nullable().default(null),
  subnetMask: ipAddress.nullable().default(null),
  gateway: ipAddress.nullable().default(null),
  dns: ipAddress.nullable().default(null),
  serverAddress: hostAddress.nullable().default(null),
  port: z.number().int().min(1).max(65_535).nullable().default(null),
  cardNumberFormat: cardNumberFormat.schema.default('decimal'),
  displayFields: z
    .array(z.enum(DISPLAY_FIELDS))
    .max(DISPLAY_FIELDS.length)
    .default([...DISPLAY_FIELDS]),
  consoleAccount: z
    .string()
    .trim()
    .min(1)
    .max(CONSOLE_ACCOUNT_MAX)
    .refine((value) => /^[A-Za-z0-9]+$/.test(value), rule('lettersOrDigits'))
    .default('admin'),
})

/** Rules between fields. Both sides of the wire and the form use it. */
export const terminalSettings = terminalSettingValues.superRefine((values, context) => {
  const issue = (path: keyof TerminalSettings, name: string, params: Record<string, string | number> = {}) =>
    context.addIssue({ code: 'custom', path: [path], params: { rule: name, ...params } })
  if (values.lowThreshold !== null && values.threshold !== null && values.lowThreshold >= values.threshold)
    issue('lowThreshold', 'belowThreshold')
  if (values.temperatureMaximum <= values.temperatureMinimum) issue('temperatureMaximum', 'aboveMinimum')
  if (new Set(values.gpioTypes).size < values.gpioTypes.length) issue('gpioTypes', 'duplicate')
  if (values.networkMode === 2)
    for (const field of ['ip', 'subnetMask', 'gateway'] as const) if (values[field] === null) issue(field, 'required')
  // AMBIGUITIES 34: closer where a mask or an ID card has to be seen.
  const close = values.maskRule !== 'off' || values.verificationMode.some((method) => [2, 3, 13].includes(method))
  if (close && (values.recognitionDistance ?? 0) > RECOGNITION_DISTANCE_MAX_ONE_MODE)
    issue('recognitionDistance', 'max.number', { limit: RECOGNITION_DISTANCE_MAX_ONE_MODE })
})
export type TerminalSettings = z.output<typeof terminalSettingValues>
export type SettingName = keyof TerminalSettings

/** What holds where nobody has set anything. */
export const BUILT_IN_SETTINGS: TerminalSettings = terminalSettingValues.parse({})

type WithoutDefault<S> = S extends z.ZodDefault<infer Inner> ? Inner : S
type OwnShape = { [Name in SettingName]: z.ZodOptional<WithoutDefault<(typeof terminalSettingValues.shape)[Name]>> }
// Without the defaults: a field that is absent is not set, and must not come back as what is built in.
const own = z.strictObject(
  Object.fromEntries(Object.entries(terminalSettingValues.shape).map(([name, field]) => [name, field.unwrap().optional()])) as OwnShape,
)

/** A fixed address is of one device, with what belongs to it: these stand in no template and in no defaults, and are not copied. */
export const OF_ONE_DEVICE = ['networkMode', 'ip', 'subnetMask', 'gateway'] as const satisfies readonly SettingName[]
/** Which server a device belongs to: whoever sets it must hold `own:device.pair`. */
export const SERVER_OF_DEVICE = ['serverAddress', 'port'] as const satisfies readonly SettingName[]
/** What a device has of its own; absent: the park's defaults hold. Which fields terminals show is a matter of the park. */
export const deviceOwnSettings = own.omit({ displayFields: true })
/** The same of a template, and of a park's defaults. */
export const sharedSettings = deviceOwnSettings.omit({ networkMode: true, ip: true, subnetMask: true, gateway: true })
/** A zone as answers write it: `UTC+05:45`. */
export function zoneText(minutes: number): string {
  const distance = Math.abs(minutes)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(distance / 60))}:${two(distance % 60)}`
}
const ZONES: ReadonlyMap<string, number> = new Map(TIME_ZONES.map((minutes) => [zoneText(minutes), minutes]))
/** Minutes east of UTC of a zone in words. */
export const zoneMinutes = (text: string): number => ZONES.get(text)!

type OwnName = keyof typeof deviceOwnSettings.shape
type InWords<Name extends OwnName> = Name extends 'timeZone' ? z.ZodString : (typeof deviceOwnSettings.shape)[Name]
type FieldShape<Name extends OwnName> = { [Key in Name]: z.ZodOptional<z.ZodNullable<InWords<Key>>> }
/**
 * The same as requests and answers name them, each by itself. Null: as it is inherited. Source: entity DeviceSetting, whose `timeZone` is
 * a text.
 */
export const deviceSettingFields = z.object({
  ...(Object.fromEntries(Object.entries(deviceOwnSettings.shape).map(([name, field]) => [name, field.nullish()])) as FieldShape<
    Exclude<OwnName, 'timeZone'>
  >),
  timeZone: z
    .string()
    .refine((text) => ZONES.has(text), rule('timeZone'))
    .nullish(),
})
/** The same of a template, and of a park's defaults. */
export const sharedSettingFields = deviceSettingFields.omit({ networkMode: true, ip: true, subnetMask: true, gateway: true })
/** Fields that can be without a value, which is another thing than to inherit one. */
export const VALUELESS_SETTINGS = (Object.keys(deviceOwnSettings.shape) as OwnName[]).filter((name) => BUILT_IN_SETTINGS[name] === null)
/** Fields somebody has set, whoever it was. */
export type SomeSettings = z.output<typeof deviceOwnSettings>

/** Of the account that opens a terminal's own console; never given out again. */
export const consolePassword = z
  .string()
  .min(CONSOLE_PASSWORD_MIN)
  .max(CONSOLE_PASSWORD_MAX)
  .refine((value) => /^[A-Za-z0-9]+$/.test(value), rule('lettersOrDigits'))

/** Characters of a wireless network's password; an open network has none. */
export const WIFI_PASSWORD = [8, 63] as const
/** Bytes (UTF-8) of a wireless network's name. */
export const WIFI_NAME_MAX = 32
export const wifi = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .refine((value) => utf8Length(value) <= WIFI_NAME_MAX, rule('bytes', { limit: WIFI_NAME_MAX })),
  password: z
    .string()
    .max(WIFI_PASSWORD[1])
    .refine((value) => value === '' || value.length >= WIFI_PASSWORD[0], rule('min.string', { limit: WIFI_PASSWORD[0] })),
})

/** What is stored encrypted, told to the device and to nobody else. */
export const SECRET_SETTINGS = ['consolePassword', 'wifi'] as const
export type SecretSetting = (typeof SECRET_SETTINGS)[number]
