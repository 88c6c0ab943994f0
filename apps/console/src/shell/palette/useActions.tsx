/** What can be done, named as it is done: new things, files in and out, what belongs to the person at the screen. */
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { LANGUAGES } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { chooseLanguage, LANGUAGE_NAMES } from '../../i18n/index.ts'
import { openSecondFactor } from '../../shared/secondFactorDialog.ts'
import { mayOpen, useMayCall, useMayOpen } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { screenEntries, screens } from '../../screens.ts'
import { openKeys } from '../keys/keysState.ts'
import { CHANGES_PARK, openParkList } from '../layout/ParkSwitch.tsx'
import { openUserDialog, USER_DIALOGS } from '../layout/userDialog.ts'
import { logout } from '../session/logout.ts'
import { chooseTheme, useTheme } from '../theme.ts'
import { rankOf, type Found } from './found.ts'

/** What a form is opened with to make something new, where its address asks whose it is. */
const NEW = 'new'
const MAKING = ['timeRuleDetail', 'writtenRuleDetail'] as const

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
