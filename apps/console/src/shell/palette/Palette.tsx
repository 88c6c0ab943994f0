/** Ctrl+K: pages, actions, and people by name. */
import { ExportOutlined } from '@ant-design/icons'
import { Command } from 'cmdk'
import { useDeferredValue, useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { LANGUAGES } from '@gatehouse/contract'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { chooseLanguage, LANGUAGE_NAMES } from '../../i18n/index.ts'
import { Portrait } from '../../kit/Portrait.tsx'
import { useRead } from '../../kit/query.ts'
import { mayOpen, useMay } from '../../kit/session.ts'
import { path } from '../../paths.ts'
import { screenEntries, screens } from '../../screens.ts'
import { groupIcons } from '../layout/icons.tsx'
import { useKeptAddress } from '../layout/PageStack.tsx'
import { openOutside } from '../layout/outside.ts'
import { useMenu } from '../layout/useMenu.ts'
import { useTitles } from '../layout/useTitles.ts'
import { logout } from '../session/logout.ts'
import { chooseTheme, useTheme } from '../theme.ts'
import { closePalette, usePalette } from './paletteState.ts'
import styles from './palette.module.css'

/** Found by what it contains: a looser match would put a page with the same letters somewhere in its name before the person meant. */
const contains = (_value: string, typed: string, words: string[] = []): number =>
  Number(words.some((word) => word.toLowerCase().includes(typed.trim().toLowerCase())))

/** People shown at most; the list page has the rest. */
const PEOPLE = 6

export default function Palette() {
  const { t } = useTranslation('shell')
  const { title } = useTitles()
  const { open } = usePalette()
  const [typed, setTyped] = useState('')
  const [chosen, choose] = useState('')
  const navigate = useNavigate()
  const addressOf = useKeptAddress()
  const mode = useTheme((state) => state.mode)
  const other = mode === 'dark' ? 'light' : 'dark'

  const run = (action: () => void) => () => {
    closePalette()
    action()
  }
  const openPage = (address: string) => run(() => void navigate(addressOf(address)))
  const reachable = screenEntries.filter(([, screen]) => screen.layout === 'shell' && mayOpen(screen))
  const sections = useMenu()
  const pages = sections.flatMap(({ group, entries }) => entries.map((name) => ({ name, group })))
  const outside = sections.flatMap(({ outside: names }) => names)
  const forms = reachable.filter(([, { kind, path: address, unoffered }]) => kind === 'form' && !unoffered && !address.includes('{'))

  return (
    <Command.Dialog
      open={open}
      onOpenChange={(next) => usePalette.setState({ open: next })}
      label={t('searchEverything')}
      overlayClassName={styles.overlay}
      contentClassName={styles.palette}
      filter={contains}
      value={chosen}
      onValueChange={choose}
      loop
    >
      <Command.Input value={typed} onValueChange={setTyped} placeholder={t('palette.placeholder')} className={styles.input} />
      <Command.List className={styles.list}>
        <Command.Empty className={styles.empty}>{t('palette.nothing')}</Command.Empty>
        <Command.Group heading={t('palette.pages')}>
          {pages.map(({ name, group }) => (
            <Entry key={name} icon={groupIcons[group]} words={[title(name), name]} onSelect={openPage(screens[name].path)} />
          ))}
          {outside.map((name) => (
            <Entry key={name} icon={<ExportOutlined />} words={[t(`outside.${name}`), name]} onSelect={run(() => void openOutside(name))} />
          ))}
        </Command.Group>
        <People
          typed={typed}
          arrived={(id) => choose((before) => before || id)}
          open={(id) => run(() => void navigate(path('staffDetails', { id })))}
        />
        <Command.Group heading={t('palette.actions')}>
          {forms.map(([name, { path: address }]) => (
            <Entry key={name} words={[title(name), name]} onSelect={openPage(address)} />
          ))}
          <Entry words={[t(`theme.${other}`)]} onSelect={run(() => chooseTheme(other))} />
          {LANGUAGES.map((language) => (
            <Entry key={language} words={[LANGUAGE_NAMES[language], language]} onSelect={run(() => void chooseLanguage(language))} />
          ))}
          <Entry words={[t('logout')]} onSelect={run(() => void logout())} />
        </Command.Group>
      </Command.List>
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

/** The first word is shown, the rest only help to find it. */
function Entry({ icon, words, onSelect, children }: { icon?: ReactNode; words: string[]; onSelect: () => void; children?: ReactNode }) {
  return (
    <Command.Item value={words.join(' ')} keywords={words} onSelect={onSelect} className={styles.item}>
      <span className={styles.icon}>{icon ?? '→'}</span>
      <span className={styles.word}>{words[0]}</span>
      {children}
    </Command.Item>
  )
}

interface PeopleProps {
  typed: string
  /** Told who is found first: they come after the typing, when nothing may be chosen. */
  arrived: (id: string) => void
  open: (id: string) => () => void
}

function People({ typed, arrived, open }: PeopleProps) {
  const { t } = useTranslation('shell')
  const allowed = useMay('person.list')
  const name = useDeferredValue(typed.trim())
  const people = useRead(peopleCalls.list, { query: { name, size: PEOPLE } }, { enabled: allowed && name !== '' })
  const first = people.data?.content[0]?.id
  useEffect(() => {
    if (first !== undefined) arrived(first)
    // Only who is found matters; the function is another one at every rendering.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [first])
  if (!people.data?.content.length) return null
  return (
    <Command.Group heading={t('palette.people')}>
      {people.data.content.map((person) => (
        <Command.Item key={person.id} value={person.id} keywords={[typed]} onSelect={open(person.id)} className={styles.item}>
          <Portrait name={person.name} url={person.faces[0]?.thumbnail} size={32} />
          <span className={styles.word}>{person.name}</span>
          <small>{[person.workNumber, person.groupName].filter(Boolean).join(' · ')}</small>
        </Command.Item>
      ))}
    </Command.Group>
  )
}
