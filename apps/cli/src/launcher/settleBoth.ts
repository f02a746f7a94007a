/** Waits for both before throwing, so that whatever either has started is known and can be stopped. */
export async function settleBoth<A, B>(promises: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
