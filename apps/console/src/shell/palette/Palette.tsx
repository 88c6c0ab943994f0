/** Ctrl+K: pages, people, devices, records and actions, found by one text. */
import { useIsFetching } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useDeferredValue, useEffect, useEffectEvent, useState, type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Device } from '@gatehouse/contract/devices/device'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { doorOperation } from '@gatehouse/contract/enums/devices'
import { queriesOf } from '../../api/query.ts'
import { useDoor } from '../../features/devices/index.ts'
import { toast } from '../../kit/feedback.tsx'
import { best, inOrder, type Found } from './found.ts'
import { closePalette, usePalette, doorAnswered } from './paletteState.ts'
import { useActions, usePages, usePeople, usePersonVerbs } from './sources.tsx'
import { useDeviceEntries, useDoorVerbs, useRecordEntries } from './useDoors.tsx'
import styles from './palette.module.css'

export default function Palette() {
  const { open, opening } = usePalette()
  return (
    <>
      {open && <Search />}
      {opening && <DoorOpening key={opening.round} device={opening.device} />}
    </>
  )
}

function Search() {
  const { t } = useTranslation('shell')
  const [typed, setTyped] = useState('')
  // The marked entry, once the user has moved the mark; until then the first is marked, whatever arrives.
  const [chosen, choose] = useState('')
  const [moved, setMoved] = useState(false)
  // Enter was pressed before the results had arrived: the first of them is run as soon as it is there.
  const [awaited, setAwaited] = useState(false)
  const text = useDeferredValue(typed.trim())
  const groups = useFound(text)
  const searching = useIsFetching(queriesOf(peopleCalls.list)) + useIsFetching(queriesOf(deviceCalls.list)) > 0
  const offered = groups.flatMap(({ found }) => found).filter(({ disabled }) => !disabled)
  const isThere = moved && offered.some(({ key }) => key === chosen)
  const isFound = text === typed.trim() && offered.length > 0
  const runFirst = useEffectEvent(() => {
    closePalette()
    offered[0]?.run()
  })
  useEffect(() => {
    if (awaited && isFound) runFirst()
  }, [awaited, isFound])
  function onKeyDown(event: KeyboardEvent): void {
    if (['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key)) setMoved(true)
    // Keys that an input method handles are not for the list.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || isFound) return
    event.preventDefault()
    setAwaited(true)
  }

  return (
    <Command.Dialog
      open
      onOpenChange={(next) => usePalette.setState({ open: next })}
      label={t('searchEverything')}
      overlayClassName={styles.overlay}
      contentClassName={styles.palette}
      shouldFilter={false}
      value={isThere ? chosen : (offered[0]?.key ?? '')}
      onValueChange={choose}
      onKeyDown={onKeyDown}
      loop
    >
      <Command.Input
        value={typed}
        onValueChange={(next) => {
          setTyped(next)
          setMoved(false)
          setAwaited(false)
        }}
        placeholder={t('palette.placeholder')}
        className={styles.input}
      />
      <Command.List className={styles.list} onPointerMove={() => setMoved(true)}>
        {groups.map(({ heading, found }) => (
          <Command.Group key={heading} heading={heading}>
            {found.map((one) => (
              <Entry key={one.key} found={one} />
            ))}
          </Command.Group>
        ))}
      </Command.List>
      {groups.length === 0 && !searching && (
        <div className={styles.empty} role="status">
          <p>{t('palette.nothing')}</p>
          <p>{t('palette.hint')}</p>
        </div>
      )}
      <footer className={styles.keys}>
        <span>
          <kbd>↑</kbd>
          <kbd>↓</kbd> {t('palette.choose')}
        </span>
        <span>
          <kbd>↵</kbd> {t('palette.open')}
        </span>
        <span>
          <kbd>Esc</kbd> {t('palette.close')}
        </span>
      </footer>
    </Command.Dialog>
  )
}

/** Return everything that matches a text, kind by kind. */
function useFound(typed: string) {
  const { t } = useTranslation('shell')
  const [pages, people, devices, records] = [usePages(typed), usePeople(typed), useDeviceEntries(typed), useRecordEntries(typed)]
  const actions = [...usePersonVerbs(typed), ...useDoorVerbs(typed), ...useActions(typed)]
  return inOrder([
    { heading: t('palette.pages'), found: best(pages) },
    { heading: t('palette.people'), found: best(people) },
    { heading: t('palette.devices'), found: best(devices) },
    { heading: t('palette.records'), found: best(records) },
    { heading: t('palette.actions'), found: best(actions) },
  ])
}

function Entry({ found: { key, label, more, icon = '→', disabled = false, run } }: { found: Found }) {
  return (
    <Command.Item
      value={key}
      disabled={disabled}
      onSelect={() => {
        closePalette()
        run()
      }}
      className={styles.item}
    >
      <span className={styles.icon}>{icon}</span>
      <span className={styles.word}>{label}</span>
      {more && <small>{more}</small>}
    </Command.Item>
  )
}

/** Opens the chosen door after a question, and shows the result. */
function DoorOpening({ device }: { device: Device }) {
  const { t } = useTranslation('doors')
  const { name } = device
  const { answer, operate } = useDoor(device, { onFailed: (words) => toast('error', t('failedAt', { name, words })), asksAlways: true })
  const hasStarted = useRef(false)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    operate(doorOperation.open)
  }, [operate])
  const { step } = answer
  const words = step === 'done' ? answer.words : ''
  useEffect(() => {
    if (step === 'done') toast('success', t('failedAt', { name, words }))
    if (step === 'done' || step === 'failed') doorAnswered()
  }, [step, words, name, t])
  return null
}
