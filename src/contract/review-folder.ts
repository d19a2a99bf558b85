/** The folder where drafts wait for a person. Nothing in it is ever loaded. */
import { basename, dirname, join, resolve } from 'node:path'

export const REVIEW_FOLDER = 'review'

/** Beside the state folder's other files. */
export const reviewFolder = (stateFolder: string): string => join(stateFolder, REVIEW_FOLDER)

/** Is the path in a review folder, at any depth? By name: a draft that was moved about within one stays a draft. */
export function isInReview(path: string): boolean {
  for (let folder = dirname(resolve(path)); folder !== dirname(folder); folder = dirname(folder))
    if (basename(folder) === REVIEW_FOLDER && basename(dirname(folder)) === '.usher') return true
  return basename(path).endsWith('.draft.json')
}
