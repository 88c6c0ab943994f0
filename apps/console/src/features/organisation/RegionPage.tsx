/** /regionManage: the organisation tree, and the chosen organisation. */
import { SearchOutlined } from '@ant-design/icons'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import Input from 'antd/es/input/Input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { organisationCalls, type OrganisationNode } from '@gatehouse/contract/organisation/calls'
import { ListError } from '../../kit/list/ListStates.tsx'
import { useRead } from '../../api/query.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { Bars } from '../../kit/detail/Bars.tsx'
import { Branches } from '../../kit/detail/Branches.tsx'
import { sentenceOf } from '../../api/refusal.ts'
import { Region } from './Region.tsx'
import { nodeOf, branchOf, foldedAtFirst, matching } from './tree.ts'
import styles from './organisation.module.css'

export default function RegionPage() {
  const { t } = useTranslation('organisation')
  const [search, setSearch] = useSearchParams()
  const tree = useRead(organisationCalls.tree, {})
  // An organisation that was deleted, or is no longer visible, is no longer chosen.
  const requestedId = search.get('id') ?? ''
  const chosen = tree.data && nodeOf(tree.data, requestedId) ? requestedId : (tree.data?.id ?? '')
  const choose = (id: string): void => setSearch({ id }, { replace: true })
  const aside = <RegionTree tree={tree} chosen={chosen} choose={choose} />
  if (tree.data) return <Region key={chosen} id={chosen} aside={aside} tree={tree.data} choose={choose} />
  return (
    <Screen title={t('title')} aside={aside}>
      {tree.isError && <ListError error={tree.error} retry={() => void tree.refetch()} />}
    </Screen>
  )
}

interface RegionTreeProps {
  tree: UseQueryResult<OrganisationNode>
  chosen: string
  choose: (id: string) => void
}

/** The tree of organisations, which a search narrows to matches with the path to them. */
function RegionTree({ tree, chosen, choose }: RegionTreeProps) {
  const { t } = useTranslation('organisation')
  const [text, setText] = useState('')
  // The tree opens to an organisation chosen elsewhere on the page, and stays as it is for one chosen in the tree.
  const [chosenInTree, setChosenInTree] = useState(chosen)
  const found = tree.data ? matching(tree.data, text) : null
  const chooseHere = (id: string): void => {
    setChosenInTree(id)
    choose(id)
  }
  return (
    <div className={styles.tree}>
      <Input
        allowClear
        prefix={<SearchOutlined />}
        placeholder={t('search')}
        aria-label={t('search')}
        maxLength={64}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {tree.isPending && <Bars count={8} />}
      {tree.isError && (
        <div role="alert">
          <p>{sentenceOf(tree.error)}</p>
          <Button size="small" onClick={() => void tree.refetch()}>
            {t('common:tryAgain')}
          </Button>
        </div>
      )}
      {found && (
        <Branches
          key={`${text}/${chosenInTree === chosen ? '' : chosen}`}
          label={t('title')}
          branches={[branchOf(found)]}
          chosen={chosen}
          choose={chooseHere}
          startFolded={foldedAtFirst(found, chosen)}
        />
      )}
      {tree.data && !found && (
        <p role="status" className={styles.nothing}>
          {t('nothingFound', { text: text.trim() })}
        </p>
      )}
    </div>
  )
}
