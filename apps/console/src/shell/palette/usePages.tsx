/** Pages by any of their names: the titles in each language, and what else they are called. */
import { DownloadOutlined, ExportOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { LANGUAGES } from '@gatehouse/contract'
import { textsOf } from '../../i18n/index.ts'
import { mayOpen } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { groupOf, screenEntries, type ScreenName } from '../../screens.ts'
import { groupIcons } from '../layout/icons.tsx'
import { openOutside } from '../layout/outside.ts'
import { useKeptAddress } from '../layout/PageStack.tsx'
import { useMenu } from '../layout/useMenu.ts'
import { useTitles } from '../layout/useTitles.ts'
import { rankOf, type Found } from './found.ts'
import { otherNamesOf } from './otherNames.ts'

/** Titles of screens in all three languages, once they have come: nobody waits for them. */
function useTitlesOfAll(): (name: ScreenName) => string[] {
  const all = useQuery({ queryKey: ['textsOfAllLanguages'], queryFn: () => Promise.all(LANGUAGES.map(textsOf)), staleTime: Infinity })
  return (name) => (all.data ?? []).map(({ shell }) => shell.title[name])
}

/** Pages that are opened by their address alone, without saying of whom. */
const pages = screenEntries.filter(
  ([name, { layout, attended, kind, path: address, unoffered }]) =>
    (layout === 'shell' || attended) &&
    kind !== 'form' &&
    kind !== 'detail' &&
    !unoffered &&
    !address.includes('{') &&
    groupOf(name) !== undefined,
)

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
