/** A tree beside a list: choosing a branch filters it. Counts include what lies below. */
import { Button, Skeleton, Tree } from 'antd'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { sentenceOf } from './refusal.ts'
import styles from './kit.module.css'

export interface TreeNode {
  id: string
  name: string
  children: TreeNode[]
}

interface TreeFilterProps<Node extends TreeNode> {
  title: string
  /** Words of the entry that stands for everything. */
  all: string
  tree: UseQueryResult<Node[]>
  countOf: (node: Node) => number
  value: string | undefined
  onChange: (id: string | undefined) => void
}

interface Branch {
  key: string
  name: string
  count: number
  children: Branch[]
}
const ALL = ''

export function TreeFilter<Node extends TreeNode>({ title, all, tree, countOf, value, onChange }: TreeFilterProps<Node>) {
  const { t } = useTranslation()
  const branchOf = (node: Node): Branch => ({ key: node.id, name: node.name, count: countOf(node), children: (node.children as Node[]).map(branchOf) })
  const branches = (tree.data ?? []).map(branchOf)
  const root: Branch = { key: ALL, name: all, count: branches.reduce((sum, { count }) => sum + count, 0), children: [] }
  return (
    <div className={styles.tree}>
      <h2>{title}</h2>
      {tree.isPending && <Skeleton active title={false} paragraph={{ rows: 8, width: '100%' }} />}
      {tree.isError && (
        <div role="alert">
          <p>{sentenceOf(tree.error)}</p>
          <Button size="small" onClick={() => void tree.refetch()}>{t('tryAgain')}</Button>
        </div>
      )}
      {tree.data && (
        <Tree<Branch>
          blockNode
          defaultExpandedKeys={branches.map(({ key }) => key)}
          selectedKeys={[value ?? ALL]}
          onSelect={(_, { node }) => onChange(node.key || undefined)}
          treeData={[root, ...branches]}
          titleRender={({ name, count }) => (
            <span className={styles.branch} title={name}>
              <span>{name}</span>
              <small>{count}</small>
            </span>
          )}
        />
      )}
    </div>
  )
}
