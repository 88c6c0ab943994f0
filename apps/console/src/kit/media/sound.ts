/**
 * Sounds of alarms and passages: generated, so that nothing has to be loaded when they are needed. Only one of several tabs rings.
 * A browser lets a page play sound once the user has touched it; until then an alarm shows that it cannot be heard.
 */
import type { ValueOf } from '@gatehouse/contract/enums/definition'
import { alarmSound } from '@gatehouse/contract/enums/alarms'
import { storage } from '../../api/storage.ts'

export type Sound = 'watchList' | 'alarmFirst' | 'alarmSecond' | 'deviceOffline' | 'visit'
/** Sound of a passage on a screen made for it. */
export type Tone = 'admitted' | 'refused'
/** The sounds that the specification numbers. */
export const ALARM_SOUNDS: Readonly<Record<ValueOf<typeof alarmSound>, Sound>> = {
  [alarmSound.first]: 'alarmFirst',
  [alarmSound.second]: 'alarmSecond',
}
/** Outcome of an alarm: heard here, heard in another tab, muted by the user, or blocked by the browser. */
export type Rang = 'here' | 'elsewhere' | 'muted' | 'blocked'

/** Seconds from the start of the figure, duration in seconds, hertz. */
type Note = [at: number, lasts: number, pitch: number]
interface Figure {
  wave: OscillatorType
  /** 0 to 1. */
  loudness: number
  notes: Note[]
  /** Seconds from one repetition to the next. */
  every: number
  times: number
}

export const FIGURES: Record<Sound | Tone, Figure> = {
  // Two high alternating tones and a rising one: unlike anything else in a guard's room.
  watchList: {
    wave: 'square',
    loudness: 0.22,
    notes: [
      [0, 0.14, 880],
      [0.17, 0.14, 659],
      [0.34, 0.14, 880],
      [0.51, 0.32, 1175],
    ],
    every: 1.2,
    times: 5,
  },
  // The two sounds that a monitoring task chooses from, about five seconds each: a siren, and a bell.
  alarmFirst: {
    wave: 'sawtooth',
    loudness: 0.14,
    notes: [
      [0, 0.3, 698],
      [0.32, 0.3, 932],
    ],
    every: 0.7,
    times: 7,
  },
  alarmSecond: {
    wave: 'triangle',
    loudness: 0.26,
    notes: [
      [0, 0.1, 1319],
      [0.12, 0.1, 1319],
      [0.24, 0.34, 1047],
    ],
    every: 1,
    times: 5,
  },
  deviceOffline: {
    wave: 'sine',
    loudness: 0.2,
    notes: [
      [0, 0.24, 587],
      [0.28, 0.42, 392],
    ],
    every: 1.4,
    times: 2,
  },
  // Once, like a doorbell: at a reception it is heard all day.
  visit: {
    wave: 'sine',
    loudness: 0.16,
    notes: [
      [0, 0.2, 659],
      [0.22, 0.2, 784],
      [0.44, 0.36, 988],
    ],
    every: 0,
    times: 1,
  },
  // Short and low, as they are heard all day: rising for admitted, the same note twice for refused.
  admitted: {
    wave: 'sine',
    loudness: 0.1,
    notes: [
      [0, 0.08, 784],
      [0.09, 0.14, 1047],
    ],
    every: 0,
    times: 1,
  },
  refused: {
    wave: 'triangle',
    loudness: 0.2,
    notes: [
      [0, 0.14, 262],
      [0.2, 0.22, 262],
    ],
    every: 0,
    times: 1,
  },
}
/** A sound does not interrupt one that is more urgent. */
const URGENCY: Readonly<Record<Sound | Tone, number>> = {
  watchList: 4,
  alarmFirst: 3,
  alarmSecond: 3,
  deviceOffline: 2,
  visit: 1,
  admitted: 0,
  refused: 0,
}
const isAlarm = (sound: Sound | Tone | undefined): boolean => sound !== undefined && URGENCY[sound] > 0

/** Time within which a browser has to permit sound, and a tab to report that it rings; milliseconds. */
const GRANTED_WITHIN = 300
const CLAIMED_WITHIN = 1_000
/** Milliseconds in which a sound is not begun again. */
const AGAIN_AFTER = 2_000
/** Number of alarms remembered to have rung. */
const RINGS_MAX = 200
/** Seconds in which a note fades in and out, so that it does not click. */
const SWELL = 0.012

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

let context: AudioContext | undefined
/** `since`: epoch milliseconds. */
let playing: { sound: Sound | Tone; gain: GainNode; since: number } | undefined

/** Return the audio context once the browser permits it to run; undefined where it does not. */
async function granted(): Promise<AudioContext | undefined> {
  const audio = (context ??= new AudioContext())
  await Promise.race([audio.resume().catch(() => {}), pause(GRANTED_WITHIN)])
  return audio.state === 'running' ? audio : undefined
}
/** Suspend the audio context while nothing plays. */
function rest(): void {
  if (playing === undefined) void context?.suspend()
}

/** Request permission to play sound while the user touches the page, when a browser grants it. @returns whether it does */
export async function askForSound(): Promise<boolean> {
  const audio = await granted()
  rest()
  return audio !== undefined
}

export const isMuted = (): boolean => storage.get('alarmsMuted') === true
export function mute(muted: boolean): void {
  storage.set('alarmsMuted', muted)
  if (muted) silence()
}

function stop(): void {
  playing?.gain.disconnect()
  playing = undefined
  rest()
}
/** Stop an alarm that is ringing; a tone ends by itself. */
export function silence(): void {
  if (isAlarm(playing?.sound)) stop()
  else rest()
}

function play(audio: AudioContext, sound: Sound | Tone): void {
  playing?.gain.disconnect()
  const { wave, loudness, notes, every, times } = FIGURES[sound]
  const mine = { sound, gain: audio.createGain(), since: Date.now() }
  mine.gain.connect(audio.destination)
  const begin = audio.currentTime + SWELL
  const all = Array.from({ length: times }, (_, time) =>
    notes.map(([at, lasts, pitch]) => {
      const from = begin + time * every + at
      const [oscillator, swell] = [audio.createOscillator(), audio.createGain()]
      oscillator.type = wave
      oscillator.frequency.value = pitch
      swell.gain.setValueAtTime(0, from)
      swell.gain.linearRampToValueAtTime(loudness, from + SWELL)
      swell.gain.setValueAtTime(loudness, from + lasts - SWELL)
      swell.gain.linearRampToValueAtTime(0, from + lasts)
      oscillator.connect(swell).connect(mine.gain)
      oscillator.start(from)
      oscillator.stop(from + lasts)
      return oscillator
    }),
  ).flat()
  playing = mine
  all.at(-1)?.addEventListener('ended', () => {
    if (playing === mine) stop()
  })
}

/** Play the tone of a passage, unless an alarm rings. @returns whether the browser permits it */
export async function playTone(tone: Tone): Promise<boolean> {
  const audio = await granted()
  if (audio && !isAlarm(playing?.sound)) play(audio, tone)
  return audio !== undefined
}

/** Play a sound now, as to try it. @returns whether the browser permits it */
export async function playNow(sound: Sound): Promise<boolean> {
  const audio = await granted()
  if (audio) play(audio, sound)
  return audio !== undefined
}

const rememberedRings = (): string[] => storage.get('alarmsRung') ?? []
/** Return whether this tab is the first to ring for any of these alarms, and remember them. */
function claim(keys: readonly string[]): boolean {
  const fresh = keys.filter((key) => !rememberedRings().includes(key))
  if (fresh.length > 0) storage.set('alarmsRung', [...rememberedRings(), ...fresh].slice(-RINGS_MAX))
  return fresh.length > 0
}
/** Claim alarms under a lock. Locks exist on https and localhost only; elsewhere two tabs may ring. */
const claimed = async (keys: readonly string[]): Promise<boolean> =>
  navigator.locks ? navigator.locks.request('gatehouse-alarm', () => claim(keys)) : claim(keys)

/** Ring for these alarms, once in all tabs. */
export async function ring(sound: Sound, keys: readonly string[]): Promise<Rang> {
  if (isMuted()) return 'muted'
  const audio = await granted()
  if (audio === undefined) {
    await pause(CLAIMED_WITHIN)
    return keys.some((key) => rememberedRings().includes(key)) ? 'elsewhere' : 'blocked'
  }
  if (!(await claimed(keys))) {
    rest()
    return 'elsewhere'
  }
  // Alarms that come faster than their sound plays would otherwise be heard as its first note alone.
  const isRecent = playing?.sound === sound && Date.now() - playing.since < AGAIN_AFTER
  if (!isRecent && (playing === undefined || URGENCY[sound] >= URGENCY[playing.sound])) play(audio, sound)
  return 'here'
}
