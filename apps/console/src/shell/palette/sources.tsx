/** Results of the palette besides doors: pages, actions and people. */
import { DownloadOutlined, ExportOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { LANGUAGES } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Person } from '@gatehouse/contract/people/person'
import { personStatus } from '@gatehouse/contract/enums/people'
import { textsOf, chooseLanguage, LANGUAGE_NAMES } from '../../i18n/index.ts'
import { textAt } from '../../i18n/namespaces.ts'
import { mayOpen, useMayCall, useMayOpen, useMay } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { groupOf, screenEntries, type ScreenName, screens } from '../../screens.ts'
import { openSecondFactor } from '../../shared/secondFactorDialog.ts'
import { pathOfPerson, usePersonActions } from '../../features/people/index.ts'
import { modal } from '../../kit/feedback.tsx'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { useRead } from '../../api/query.ts'
import { groupIcons } from '../layout/icons.tsx'
import { openOutside } from '../layout/outside.ts'
import { useKeptAddress } from '../layout/PageStack.tsx'
import { useMenu, useTitles } from '../layout/useMenu.ts'
import { openKeys } from '../keys/KeysHost.tsx'
import { CHANGES_PARK, openParkList } from '../layout/ParkSwitch.tsx'
import { openUserDialog, USER_DIALOGS } from '../layout/UserMenu.tsx'
import { logout } from '../session/logout.ts'
import { chooseTheme, useTheme } from '../theme.ts'
import { rankOf, type Found, SHOWN } from './found.ts'
import { otherNamesOf, objectOf } from './otherNames.ts'

/** Return a function that gives the titles of a screen in all three languages; none until they are loaded, which nothing waits for. */
function useTitlesOfAll(): (name: ScreenName) => string[] {
  const all = useQuery({ queryKey: ['textsOfAllLanguages'], queryFn: () => Promise.all(LANGUAGES.map(textsOf)), staleTime: Infinity })
  return (name) => (all.data ?? []).flatMap(({ shell }) => textAt(shell, 'title', name) ?? [])
}

/** Pages that the palette offers: those in the menu, or with a parent there, whose address has no parameters; no forms or detail pages. */
const pages = screenEntries.filter(
  ([name, { layout, attended, kind, path: address, unoffered }]) =>
    (layout === 'shell' || attended) &&
    kind !== 'form' &&
    kind !== 'detail' &&
    !unoffered &&
    !address.includes('{') &&
    groupOf(name) !== undefined,
)

/** Return the pages that match by any of their names: the titles in each language, and other words for them. */
export function usePages(typed: string): Found[] {
  const { t } = useTranslation('shell')
  const { title, group: titleOfGroup } = useTitles()
  const titlesIn = useTitlesOfAll()
  const navigate = useNavigate()
  const addressOf = useKeptAddress()
  const outside = useMenu().flatMap(({ outside: names }) => names)
  return [
    ...pages
      .filter(([, screen]) => mayOpen(screen))
      .map(([name, { path: address }]): Found => {
        const group = groupOf(name) ?? 'top'
        return {
          key: name,
          label: title(name),
          ...(group !== 'top' && { more: titleOfGroup(group) }),
          icon: groupIcons[group],
          rank: rankOf(typed, [title(name), ...titlesIn(name), ...otherNamesOf(name), name]),
          run: () => void navigate(addressOf(address)),
        }
      }),
    {
      key: 'exportRecord',
      label: t('user.exports'),
      icon: <DownloadOutlined />,
      rank: rankOf(typed, [t('user.exports'), ...titlesIn('exportRecord'), ...otherNamesOf('exportRecord')]),
      run: () => void navigate(path('exportRecord')),
    },
    ...outside.map((name): Found => ({
      key: name,
      label: t(`outside.${name}`),
      icon: <ExportOutlined />,
      rank: rankOf(typed, [t(`outside.${name}`), name]),
      run: () => void openOutside(name),
    })),
  ]
}

/** Value in the address of a form that adds a record, where other values are ids. */
const NEW = 'new'
const MAKING = ['timeRuleDetail', 'writtenRuleDetail'] as const

/** Return the actions that match, named by what they do: new records, imports and exports, and the user's own settings. */
export function useActions(typed: string): Found[] {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const other = useTheme(({ mode }) => (mode === 'dark' ? 'light' : 'dark'))
  const [mayImport, mayExport, mayAddDevice] = [
    useMayCall(importCalls.create) && mayOpen(screens.staffImport),
    useMayCall(peopleCalls.export) && mayOpen(screens.staffList),
    useMayCall(deviceCalls.create) && mayOpen(screens.deviceList),
  ]
  const changesPark = useMayOpen(CHANGES_PARK)
  const act = (label: string, run: () => void, words: string[] = []): Found => ({
    key: label,
    label,
    rank: rankOf(typed, [label, ...words]),
    run,
  })
  const lead = (label: string, address: string, words?: string[]): Found => act(label, () => void navigate(address), words)
  const forms = screenEntries.filter(
    ([, screen]) =>
      screen.kind === 'form' && screen.layout === 'shell' && !screen.unoffered && !screen.path.includes('{') && mayOpen(screen),
  )
  return [
    ...forms.map(([name, { path: address }]) => lead(t(`palette.do.${name}`), address, [name])),
    ...MAKING.filter((name) => mayOpen(screens[name])).map((name) => lead(t(`palette.do.${name}`), path(name, { id: NEW }), [name])),
    ...(mayImport ? [lead(t('palette.do.importPersons'), `${path('staffImport')}?${NEW}=1`)] : []),
    ...(mayExport ? [lead(t('palette.do.exportPersons'), `${path('staffList')}?export=1`)] : []),
    ...(mayAddDevice ? [lead(t('palette.do.addDevice'), `${path('deviceList')}?${NEW}=1`)] : []),
    act(t(`theme.${other}`), () => chooseTheme(other)),
    ...LANGUAGES.map((language) => act(LANGUAGE_NAMES[language], () => void chooseLanguage(language), [language])),
    ...USER_DIALOGS.map((name) => act(t(`user.${name}`), () => openUserDialog(name))),
    ...(changesPark ? [act(t('user.changePark'), openParkList)] : []),
    act(t('user.secondFactor'), openSecondFactor),
    act(t('user.keys'), openKeys),
    act(t('logout'), () => void logout()),
  ]
}

/** Return the matching persons. @param keyword empty: none */
function useMeant(keyword: string): Person[] {
  const allowed = useMay('person.list')
  const people = useRead(peopleCalls.list, { query: { keyword, size: SHOWN } }, { enabled: allowed && keyword !== '' })
  return keyword === '' ? [] : (people.data?.content ?? [])
}

const moreOf = ({ workNumber, groupName }: Person): string => [workNumber, groupName].filter(Boolean).join(' · ')
const portraitOf = ({ name, faces }: Person) => <Portrait name={name} url={faces[0]?.thumbnail} size={32} />
/** Return how well a person matches; one found by something that is not shown, such as the phone, matches all the same. */
const rankAmong = (typed: string, { name, workNumber, phone }: Person): number => rankOf(typed, [name, workNumber, phone]) || 1

/** Return the persons that the text matches, to open; where the text requests it, to disable or enable. */
export function usePeople(typed: string): Found[] {
  const navigate = useNavigate()
  return useMeant(typed).map((person) => ({
    key: person.id,
    label: person.name,
    more: moreOf(person),
    icon: portraitOf(person),
    rank: rankAmong(typed, person),
    run: () => void navigate(pathOfPerson(person.kind, person.id)),
  }))
}

export function usePersonVerbs(typed: string): Found[] {
  const { t } = useTranslation('shell')
  const mayChange = useMayCall(peopleCalls.status)
  const toDisable = objectOf('disable', typed)
  const object = toDisable ?? objectOf('enable', typed) ?? ''
  const verb = toDisable === undefined ? 'enable' : 'disable'
  const meant = useMeant(mayChange ? object : '')
  const { setStatus } = usePersonActions({ onRemoved: () => {} })
  // A user who types and presses Enter quickly may have meant another person.
  const ask = ({ id, name }: Person): void =>
    modal.confirm({
      title: t(`palette.${verb}Title`, { name }),
      content: t(`palette.${verb}Words`),
      okText: t(verb === 'disable' ? 'palette.block' : 'people:enable'),
      okButtonProps: { danger: verb === 'disable' },
      cancelText: t('common:cancel'),
      onOk: () => setStatus([id], verb === 'disable' ? personStatus.disabled : personStatus.enabled),
    })
  return meant
    .filter(({ status }) => (status === personStatus.disabled) === (verb === 'enable'))
    .map((person) => ({
      key: `status ${person.id}`,
      label: t(`palette.${verb}`, { name: person.name }),
      more: moreOf(person),
      icon: portraitOf(person),
      rank: rankAmong(object, person),
      run: () => ask(person),
    }))
}
