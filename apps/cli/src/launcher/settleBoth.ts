/** Waits for both before it throws for one: whatever the other one started is then known to those who have to end it. */
export async function settleBoth<A, B>(promises: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
