"""The palace for asyncio. `graphpalace.client.synchronous` is written from these modules by `make client`."""
