/** The second signature: a workflow that refuses a merge whose contracts do not hold. Needs no secrets. */

import { dirname } from 'node:path/posix'

/** @param file path of the contract file in its repository */
export function ciWorkflow(file: string): string {
  const folder = dirname(file)
  const beside = (name: string): string => folder === '.' ? name : `${folder}/${name}`
  return `# Written by "usher contract ci". Fails when the contracts do not hold, or widen more than their signers allow.
name: contracts
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  verify:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-node@v4
        with:
          node-version: 20
      - run: npm ci --ignore-scripts
      - name: What was signed before
        if: github.event_name == 'pull_request'
        # The signers of the base decide: a change that brings its own signers would be its own judge.
        run: |
          mkdir -p "$RUNNER_TEMP/before"
          for name in "${file}" "${file}.sig" "${beside('allowed_signers')}" "${beside('revoked_signers')}"; do
            git show "origin/$GITHUB_BASE_REF:$name" > "$RUNNER_TEMP/before/$(basename "$name")" || rm -f "$RUNNER_TEMP/before/$(basename "$name")"
          done
      - run: |
          before="$RUNNER_TEMP/before/$(basename "${file}")"
          if [ -e "$before" ]; then npx --no-install usher contract verify "${file}" --json --base "$before"
          elif [ -e "$RUNNER_TEMP/before/allowed_signers" ]; then npx --no-install usher contract verify "${file}" --json --signers "$RUNNER_TEMP/before/allowed_signers"
          else npx --no-install usher contract verify "${file}" --json; fi
`
}
