/** Settings of terminals: one set per device, templates to copy, and the defaults of a park for new devices (module M06). */
import { z } from 'zod'
import { accessMethod } from '../enums/access.ts'
import { alarmType } from '../enums/alarms.ts'
import { networkMode, temperatureUnit } from '../enums/devices.ts'
import { cardNumberFormat } from '../enums/people.ts'
import {
  CAPTURE_HOURS,
  CAPTURE_HOURS_DEFAULT,
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

/** Reaction of a terminal to a person without mask or helmet: none, a prompt, refusal. */
export const WEAR_RULES = ['off', 'prompt', 'refuse'] as const
/** Purpose of a pin of the terminal. */
export const GPIO_TYPES = ['doorLock', 'exitButton', 'doorSensor', 'fireAlarm', 'tamper', 'alarmOutput'] as const
/** Fields that a terminal shows of a person who passes. */
export const DISPLAY_FIELDS = ['photo', 'name', 'workNumber', 'temperature', 'time'] as const

/**
 * How long what a capture camera captured is kept: as the captures of all cameras, a number of hours, or not at all unless a monitoring
 * task identifies the person at that moment.
 */
export const CAPTURE_KEEPING = ['standard', 'hours', 'matchedOnly'] as const

/** Return a check for multiples of a step that tolerates floating-point errors. */
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
/** A name whose last label has only digits is a mistyped address, not a host name. */
const isHostName = (value: string): boolean =>
  /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(value)
const ipAddress = z.string().trim().refine(isIpAddress, rule('ip'))
/** Address of a host: an IP address or a host name. */
const hostAddress = z
  .string()
  .trim()
  .max(253)
  .refine((value) => isIpAddress(value) || isHostName(value), { ...rule('host'), ...refusedAs(100415) })

/**
 * Settings of a terminal, as far as the server sets them; null leaves the terminal's own value. Temperatures are stored in Celsius. Source:
 * entity DeviceSetting.
 */
export const terminalSettingValues = z.object({
  /** Access methods that the terminal accepts; empty: all that the access rules allow. */
  verificationMode: z.array(accessMethod.schema).max(accessMethod.values.length).default([]),
  /** Match threshold as a raw score; null: that of the park's policy. */
  threshold: threshold.nullable().default(null),
  /** Raw score below which a face is refused without a second check. */
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
  /** Days between automatic restarts; null: no automatic restart. */
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
  /** Seconds without a person in front of the terminal; 0: off. */
  screenSaverAfter: z.number().int().min(0).max(86_400).default(0),
  /** Minutes east of UTC, one of 36 values; null: the park's time zone, which includes daylight saving time. */
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
  /** Of capture cameras only, as the next. */
  captureKeeping: z.enum(CAPTURE_KEEPING).default('standard'),
  /** Hours for which captures are kept where `captureKeeping` says so. */
  captureHours: z.number().int().min(CAPTURE_HOURS[0]).max(CAPTURE_HOURS[1]).default(CAPTURE_HOURS_DEFAULT),
})

/** Rules between fields, used on both sides of the wire and in the form. */
export const terminalSettings = terminalSettingValues.superRefine((values, context) => {
  const issue = (path: keyof TerminalSettings, name: string, params: Record<string, string | number> = {}) =>
    context.addIssue({ code: 'custom', path: [path], params: { rule: name, ...params } })
  if (values.lowThreshold !== null && values.threshold !== null && values.lowThreshold >= values.threshold)
    issue('lowThreshold', 'belowThreshold')
  if (values.temperatureMaximum <= values.temperatureMinimum) issue('temperatureMaximum', 'aboveMinimum')
  if (new Set(values.gpioTypes).size < values.gpioTypes.length) issue('gpioTypes', 'duplicate')
  if (values.networkMode === 2)
    for (const field of ['ip', 'subnetMask', 'gateway'] as const) if (values[field] === null) issue(field, 'required')
  // AMBIGUITIES 34: a shorter distance if a mask or an ID card must be recognised.
  const close = values.maskRule !== 'off' || values.verificationMode.some((method) => [2, 3, 13].includes(method))
  if (close && (values.recognitionDistance ?? 0) > RECOGNITION_DISTANCE_MAX_ONE_MODE)
    issue('recognitionDistance', 'max.number', { limit: RECOGNITION_DISTANCE_MAX_ONE_MODE })
})
export type TerminalSettings = z.output<typeof terminalSettingValues>
export type SettingName = keyof TerminalSettings

/** Settings that apply if neither the device nor the park sets a value. */
export const BUILT_IN_SETTINGS: TerminalSettings = terminalSettingValues.parse({})

type WithoutDefault<S> = S extends z.ZodDefault<infer Inner> ? Inner : S
type OwnShape = { [Name in SettingName]: z.ZodOptional<WithoutDefault<(typeof terminalSettingValues.shape)[Name]>> }
// Without the defaults: an absent field is not set and must not be read back with the built-in value.
const own = z.strictObject(
  Object.fromEntries(Object.entries(terminalSettingValues.shape).map(([name, field]) => [name, field.unwrap().optional()])) as OwnShape,
)

/**
 * A fixed address and the fields that belong to it are valid for one device: they cannot be in a template or in the defaults of a park, and
 * are not copied.
 */
export const OF_ONE_DEVICE = ['networkMode', 'ip', 'subnetMask', 'gateway'] as const satisfies readonly SettingName[]
/** Server to which a device belongs: a user who sets it must have `own:device.pair`. */
export const SERVER_OF_DEVICE = ['serverAddress', 'port'] as const satisfies readonly SettingName[]
/** Custom settings of a device; absent: the park's defaults apply. The fields that terminals show are set by the park. */
export const deviceOwnSettings = own.omit({ displayFields: true })
/** Settings of a template, and of a park's defaults. */
export const sharedSettings = deviceOwnSettings.omit({ networkMode: true, ip: true, subnetMask: true, gateway: true })
/** Return a time zone as answers write it: `UTC+05:45`. */
export function zoneText(minutes: number): string {
  const distance = Math.abs(minutes)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(distance / 60))}:${two(distance % 60)}`
}
const ZONES: ReadonlyMap<string, number> = new Map(TIME_ZONES.map((minutes) => [zoneText(minutes), minutes]))
/** Return the minutes east of UTC of a time zone as text. The text must be a valid one. */
export const zoneMinutes = (text: string): number => ZONES.get(text)!

type OwnName = keyof typeof deviceOwnSettings.shape
type InWords<Name extends OwnName> = Name extends 'timeZone' ? z.ZodString : (typeof deviceOwnSettings.shape)[Name]
type FieldShape<Name extends OwnName> = { [Key in Name]: z.ZodOptional<z.ZodNullable<InWords<Key>>> }
/**
 * Settings as requests and answers name them, one field each. Null: inherited. Source: entity DeviceSetting, whose `timeZone` is a text.
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
/** Fields of a template, and of a park's defaults. */
export const sharedSettingFields = deviceSettingFields.omit({ networkMode: true, ip: true, subnetMask: true, gateway: true })
/** Fields that can have no value, which differs from inheriting one. */
export const VALUELESS_SETTINGS = (Object.keys(deviceOwnSettings.shape) as OwnName[]).filter((name) => BUILT_IN_SETTINGS[name] === null)
/** Settings with a value, from any source. */
export type SomeSettings = z.output<typeof deviceOwnSettings>

/** Password of the account for a terminal's own console; never returned. */
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

/** Settings that are stored encrypted and sent to the device only. */
export const SECRET_SETTINGS = ['consolePassword', 'wifi'] as const
export type SecretSetting = (typeof SECRET_SETTINGS)[number]
