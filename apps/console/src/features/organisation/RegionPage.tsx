/** /regionManage: the organisation tree, and what is known of the one that is chosen. */
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { ListError } from '../../kit/list/ListStates.tsx'
import { useRead } from '../../api/query.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { Region } from './Region.tsx'
import { RegionTree } from './RegionTree.tsx'
import { nodeOf } from './tree.ts'

export default function RegionPage() {
  const { t } = useTranslation('organisation')
  const [search, setSearch] = useSearchParams()
  const tree = useRead(organisationCalls.tree, {})
  // One that was deleted, or lies elsewhere now, is no longer chosen.
  const asked = search.get('id') ?? ''
  const chosen = tree.data && nodeOf(tree.data, asked) ? asked : (tree.data?.id ?? '')
  const choose = (id: string): void => setSearch({ id }, { replace: true })
  const aside = <RegionTree tree={tree} chosen={chosen} choose={choose} />
  if (tree.data) return <Region key={chosen} id={chosen} aside={aside} tree={tree.data} choose={choose} />
  return (
    <Screen title={t('title')} aside={aside}>
      {tree.isError && <ListError error={tree.error} retry={() => void tree.refetch()} />}
    </Screen>
  )
}
