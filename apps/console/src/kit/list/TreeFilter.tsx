/** A tree beside a list: choosing a branch filters it. Counts include the branches below. */
import { Button } from 'antd'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Bars } from '../detail/Bars.tsx'
import { Branches, type Branch } from '../detail/Branches.tsx'
import { sentenceOf } from '../../api/refusal.ts'
import styles from '../kit.module.css'

export interface TreeNode {
  id: string
  name: string
  children: TreeNode[]
}

interface TreeFilterProps<Node extends TreeNode> {
  title: string
  /** Label of the entry for everything. */
  all: string
  tree: UseQueryResult<Node[]>
  countOf: (node: Node) => number
  /** Count of everything, where some of it is in no group; otherwise the sum of the groups. */
  total?: number | undefined
  value: string | undefined
  onChange: (id: string | undefined) => void
}

const ALL = ''

export function TreeFilter<Node extends TreeNode>({ title, all, tree, countOf, total, value, onChange }: TreeFilterProps<Node>) {
  const { t } = useTranslation()
  const branchOf = (node: Node): Branch => ({
    key: node.id,
    name: node.name,
    count: countOf(node),
    children: (node.children as Node[]).map(branchOf),
  })
  const branches = (tree.data ?? []).map(branchOf)
  const root: Branch = { key: ALL, name: all, count: total ?? branches.reduce((sum, { count = 0 }) => sum + count, 0), children: [] }
  return (
    <div className={styles.tree}>
      <h2>{title}</h2>
      {tree.isPending && <Bars count={8} />}
      {tree.isError && (
        <div role="alert">
          <p>{sentenceOf(tree.error)}</p>
          <Button size="small" onClick={() => void tree.refetch()}>
            {t('tryAgain')}
          </Button>
        </div>
      )}
      {tree.data && (
        <Branches label={title} branches={[root, ...branches]} chosen={value ?? ALL} choose={(key) => onChange(key || undefined)} />
      )}
    </div>
  )
}
