/** Functions of the terminal's pins: exit button, door sensor, fire alarm, tamper contact, lock and alarm output. */
import { alarmType } from '@gatehouse/contract/enums'
import type { TerminalSettings } from '@gatehouse/contract/configuration/settings'
import type { Door, DoorState } from './door.ts'
import type { DoorEventKind, EventList } from './event-list.ts'
import type { Pins } from './pins.ts'

/** What a pin is wired to. */
type PinType = TerminalSettings['gpioTypes'][number]

export interface WiringOptions {
  pins: Pins
  settings: () => Pick<TerminalSettings, 'gpioTypes' | 'alarmRecordingTypes'>
  door: Pick<Door, 'state' | 'letThrough' | 'holdOpen'>
  events: EventList
  /** Milliseconds a door may stand open after it should be closed. */
  overtimeAfter: number
  clock: () => number
  /** The standing alarms, or the list of events, changed. */
  onChange: () => void
  log: (sentence: string) => void
}

export interface Wiring {
  /** Return the alarms in force. */
  standing(): DoorEventKind[]
  /** The door entered another state. */
  doorMoved(state: DoorState): void
  /** Apply changed settings: each pin may have another function. */
  rewired(): void
  stop(): void
}

/** Alarm types that switch the recording of events; a kind without a type is always recorded. */
const RECORDED_AS: Partial<Record<DoorEventKind, number>> = {
  fire: alarmType.fire,
  tamper: alarmType.tamper,
  heldOpen: alarmType.gateOvertime,
}
const SHUT: readonly DoorState[] = ['closed', 'closing']

/** Connect the pins to the door. */
export function createWiring({ pins, settings, door, events, overtimeAfter, clock, onChange, log }: WiringOptions): Wiring {
  /** Active inputs, by pin. */
  const active = new Set<number>()
  const standing = new Set<DoorEventKind>()
  const written = new Map<number, boolean>()
  let holding: NodeJS.Timeout | undefined

  const isActive = (type: PinType) => active.has(settings().gpioTypes.indexOf(type))
  const isRecorded = (kind: DoorEventKind) =>
    RECORDED_AS[kind] === undefined || settings().alarmRecordingTypes.some((type) => type === RECORDED_AS[kind])

  function begin(kind: DoorEventKind): void {
    if (standing.has(kind)) return
    standing.add(kind)
    log(`At the door: ${kind}.`)
    if (isRecorded(kind)) events.add({ kind, at: clock(), endedAt: null })
    writeOutputs()
    onChange()
  }

  function end(kind: DoorEventKind): void {
    if (!standing.delete(kind)) return
    events.end(kind, clock())
    writeOutputs()
    onChange()
  }

  const follow = (kind: DoorEventKind, holds: boolean) => (holds ? begin(kind) : end(kind))

  /** Judge an open leaf: forced if the door is shut, held open if it should be shut again. */
  function judgeLeaf(): void {
    clearTimeout(holding)
    if (!isActive('doorSensor')) {
      end('forced')
      end('heldOpen')
      return
    }
    if (!SHUT.includes(door.state()) || standing.has('forced')) return
    holding = setTimeout(() => begin('heldOpen'), overtimeAfter)
    holding.unref()
  }

  function judgeAll(): void {
    const fire = isActive('fireAlarm')
    door.holdOpen(fire)
    follow('fire', fire)
    follow('tamper', isActive('tamper'))
    judgeLeaf()
    writeOutputs()
  }

  function writeOutputs(): void {
    const levels: Partial<Record<PinType, boolean>> = { doorLock: !SHUT.includes(door.state()), alarmOutput: standing.size > 0 }
    settings().gpioTypes.forEach((type, pin) => {
      const level = levels[type]
      if (level === undefined || written.get(pin) === level) return
      written.set(pin, level)
      pins.write(pin, level).catch((error: unknown) => {
        written.delete(pin)
        log(`Pin ${pin} (${type}) does not obey: ${error instanceof Error ? error.message : String(error)}`)
      })
    })
  }

  function changed(pin: number, isNow: boolean): void {
    if (isNow) active.add(pin)
    else active.delete(pin)
    const type = settings().gpioTypes[pin]
    if (type === 'exitButton' && isNow) {
      events.add({ kind: 'exitButton', at: clock(), endedAt: clock() })
      door.letThrough()
      onChange()
    }
    if (type === 'doorSensor' && isNow && door.state() === 'closed') begin('forced')
    if (type !== undefined) judgeAll()
  }

  const unwatch = pins.watch(changed)
  return {
    standing: () => [...standing],
    doorMoved() {
      writeOutputs()
      judgeLeaf()
    },
    rewired() {
      written.clear()
      judgeAll()
    },
    stop() {
      unwatch()
      clearTimeout(holding)
    },
  }
}
